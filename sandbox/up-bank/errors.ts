import type { JsonObject } from '../shared/json.ts';
import { type Reply, reply } from '../shared/reply.ts';
import type { VendorError } from '../shared/vendor-error.ts';

const TITLES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Not Authorized'],
  [404, 'Not Found'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
]);

/** Up's answer to a request it refuses. The code of the error is the parameter concerned. */
export function errorReply({ status, code, message, headers }: VendorError): Reply {
  const about: JsonObject = code.includes('[') || code === 'id' ? { source: { parameter: code } } : {};
  const error = { status: String(status), title: TITLES.get(status) ?? 'Error', detail: message, ...about };
  return reply(status, JSON.stringify({ errors: [error] }), headers);
}
