/**
 * A DNS name as resolvers accept it (RFC 1123, with the underscore of RFC 2782), or an IP address. URL parsers accept
 * more, such as `;`, `,` and `'`, which would end part of a header in which the host is later named.
 */
const PLAIN = /^(?:[a-z0-9._-]*|\[[0-9a-f:.]+\])$/i;

/** Whether the host of a parsed URL is just a name or an address; a private-use scheme may have none. */
export function hasPlainHost({ hostname }: Pick<URL, 'hostname'>): boolean {
  return PLAIN.test(hostname);
}
