/**
 * Agents that run in a page of another origin register, request tokens and read metadata from there. These addresses
 * ignore cookies, so any page may do so (Fetch Standard, section 3.2).
 */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, retry-after, www-authenticate',
} as const;

/** Further headers of a response to a preflight request. */
export const CROSS_ORIGIN_PREFLIGHT = {
  ...CROSS_ORIGIN,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
  'access-control-max-age': '86400',
} as const;
