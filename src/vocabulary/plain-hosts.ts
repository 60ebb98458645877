/**
 * A DNS name as resolvers take it (RFC 1123, with the underscore of RFC 2782), or an IP address. URL parsers let more
 * through, such as `;`, `,` and `'`, which end a part of a header in which the host is named later.
 */
const PLAIN = /^(?:[a-z0-9._-]*|\[[0-9a-f:.]+\])$/i;

/** Whether the host of a parsed URL is a name or an address and nothing else; an app's own scheme may have none. */
export function hasPlainHost({ hostname }: Pick<URL, 'hostname'>): boolean {
  return PLAIN.test(hostname);
}
