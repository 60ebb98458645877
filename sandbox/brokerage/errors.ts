import { type Reply, reply } from '../shared/reply.ts';
import type { VendorError } from '../shared/vendor-error.ts';

/** The vendor's codes for statuses that faults raise without one. */
const CODES: Readonly<Record<number, string>> = {
  400: '1076',
  402: '3003',
  403: '1066',
  404: '1011',
  425: '3012',
  429: 'throttled',
  500: '1000',
  503: '3002',
};

/** The vendor's answer to a request it refuses, in one of its three forms. */
export function errorReply({ status, code, message, headers }: VendorError): Reply {
  const own = /^\d{4}$/.test(code) ? code : (CODES[status] ?? '1000');
  return reply(status, JSON.stringify(bodyOf(status, own, message)), headers);
}

function bodyOf(status: number, code: string, message: string): object {
  if (status === 501) return { error: message };
  if (code === '1141') return { detail: message, default_code: Number(code) };
  if (status === 400 || status === 401 || status === 403 || status === 404)
    return { default_detail: message, default_code: Number(code) };
  if (status === 402 || status === 425) return { detail: message, code };
  return { detail: message, status_code: status, code };
}
