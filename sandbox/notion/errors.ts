import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import { type Reply, reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';

/** What faults and the router raise, in Notion's terms. */
const CODES: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'restricted_resource',
  404: 'object_not_found',
  409: 'conflict_error',
  429: 'rate_limited',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
  529: 'service_overload',
};
const OURS: ReadonlySet<string> = new Set([
  'refused',
  'internal',
  'too_many_requests',
  'not_found',
  'request_too_large',
]);

export function succeeded(body: JsonObject): Reply {
  return reply(200, JSON.stringify(body));
}

/** Notion's answer to a call that it refuses. */
export function refusal({ status, code, message, headers }: VendorError): Reply {
  const limited = status === 429 ? { additional_data: { rate_limit_reason: 'connection' } } : {};
  const known = code === 'not_found' && status === 404 ? 'invalid_request_url' : (CODES[status] ?? code);
  const body = {
    object: 'error',
    status: known === 'invalid_request_url' ? 400 : status,
    code: OURS.has(code) ? known : code,
    message,
    request_id: randomUUID(),
    ...limited,
  };
  return reply(body.status, JSON.stringify(body), headers);
}

/** The request is invalid; the text names the place in it. */
export function invalid(message: string): VendorError {
  return new VendorError(400, 'validation_error', message);
}

/** An invalid value in the body. @param path such as `body.properties.Amount.number` */
export function invalidValue(path: string, should: string, value: unknown): VendorError {
  const shown = value === undefined ? '`undefined`' : `\`${JSON.stringify(value).slice(0, 100)}\``;
  return invalid(`body failed validation: ${path} should be ${should}, instead was ${shown}.`);
}

/** Also the answer for things that exist but are not shared. */
export function notFound(kind: string, id: string): VendorError {
  return new VendorError(
    404,
    'object_not_found',
    `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your connection.`,
  );
}
