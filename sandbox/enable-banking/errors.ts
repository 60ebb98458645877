import { type Reply, reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';

const CODE = /^[A-Z_]+$/;

/** An answer with one of the vendor's codes. */
export function coded(status: number, code: string, message: string, detail?: string): VendorError {
  return new VendorError(status, code, detail === undefined ? message : `${message}\n${detail}`);
}

/** The vendor's form of a refusal. A detail that is JSON is written as an object. */
export function refusal({ status, code, message, headers }: VendorError): Reply {
  const [text = '', detail] = message.split('\n');
  const error = CODE.test(code) ? { error: code } : {};
  const more = detail === undefined ? {} : { detail: detail.startsWith('{') ? JSON.parse(detail) : detail };
  return reply(status, JSON.stringify({ code: status, message: text, ...error, ...more }), headers);
}
