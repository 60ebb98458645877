/**
 * Agents that run in a page of another origin register, ask for tokens and read metadata from there. No cookie counts
 * at these addresses, so that any page may (Fetch Standard, section 3.2).
 */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, retry-after, www-authenticate',
} as const;

/** What a preflight request is answered as well. */
export const CROSS_ORIGIN_PREFLIGHT = {
  ...CROSS_ORIGIN,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
  'access-control-max-age': '86400',
} as const;
