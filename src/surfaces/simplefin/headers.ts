/**
 * For web pages of other origins, which read the bridge with credentials that they put into the request themselves
 * (Fetch Standard, section 3.2). Browsers add none of their own, because no header here allows it.
 */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'request-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
} as const;

/** Further headers of a response to a preflight request. */
export const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
} as const;

/** Responses with a secret or data from a bank must not be cached. */
export const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
