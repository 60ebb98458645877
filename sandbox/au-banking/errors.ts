import { randomBytes } from 'node:crypto';
import { type Reply, reply } from '../shared/reply.ts';
import type { VendorError } from '../shared/vendor-error.ts';

/** The two error bodies of the vendor: one from the framework, a short one for data. */
export type ErrorBody = 'framework' | 'data';

/** The vendor's answer to a request it refuses. */
export function errorReply({ status, code, message, headers }: VendorError, body: ErrorBody): Reply {
  const id = randomBytes(6).toString('base64url');
  const short = { id, name: code, message };
  const full = {
    name: code,
    id,
    message,
    temporary: status === 503 || status === 429,
    timeout: status === 504,
    fault: status >= 500,
  };
  return reply(status, JSON.stringify(body === 'data' ? short : full), headers);
}
