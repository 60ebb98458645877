import { type Reply, reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';

/** The vendor's error ids by the name of the error. */
const IDS = {
  bad_request: '400',
  not_authorized: '401',
  subscription_lapsed: '403.1',
  trial_expired: '403.2',
  unauthorized_scope: '403.3',
  data_limit_reached: '403.4',
  not_found: '404.1',
  resource_not_found: '404.2',
  conflict: '409',
  too_many_requests: '429',
  internal_server_error: '500',
  service_unavailable: '503',
} as const;
export type ErrorName = keyof typeof IDS;

const BY_STATUS: Readonly<Record<number, ErrorName>> = {
  401: 'not_authorized',
  404: 'not_found',
  409: 'conflict',
  429: 'too_many_requests',
  503: 'service_unavailable',
};

export function ynabError(name: ErrorName, detail: string): VendorError {
  return new VendorError(Number.parseInt(IDS[name], 10), name, detail);
}

/** The vendor's form of a refusal. */
export function refusal(error: VendorError): Reply {
  const { status, code, message, headers } = error;
  const name = isName(code)
    ? code
    : (BY_STATUS[status] ?? (status < 500 ? 'bad_request' : 'internal_server_error'));
  return reply(status, JSON.stringify({ error: { id: IDS[name], name, detail: message } }), headers);
}

/** The form of the token endpoint (RFC 6749, section 5.2). */
export function tokenRefusal(error: VendorError): Reply {
  const { status, code, message, headers } = error;
  return reply(status, JSON.stringify({ error: code, error_description: message }), headers);
}

function isName(code: string): code is ErrorName {
  return Object.hasOwn(IDS, code);
}
