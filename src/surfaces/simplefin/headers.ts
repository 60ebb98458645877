/**
 * For web pages of other origins, which read the bridge with credentials that they were given and put into the request
 * themselves (Fetch Standard, section 3.2). A browser adds none of its own: nothing here allows it to.
 */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'request-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
} as const;

/** What a preflight request is answered as well. */
export const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
} as const;

/** Nothing keeps an answer that holds a secret or what a bank said. */
export const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
