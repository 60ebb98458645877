import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** `203.0.113.9:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/;
const LONGEST_TEXT = 64;

/**
 * The address alone, in its plain form: an IPv4 caller on a dual-stack socket appears as ::ffff:a.b.c.d, and some
 * proxies append the caller's port, which changes with every connection.
 */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const shown = WITH_PORT.exec(address);
  const alone = shown?.[1] ?? shown?.[2] ?? address;
  const plain = MAPPED.exec(alone)?.[1];
  if (plain !== undefined) return plain;
  const parsed = parseAddress(alone);
  if (parsed === null || !('parts' in parsed) || !parsed.isIPv4MappedAddress()) return alone;
  return parsed.toIPv4Address().toString();
}

/**
 * The caller at an address, for counting: an IPv4 address, or the /64 of an IPv6 one, which belongs to one caller. Text
 * that is not an address is returned as it is, so that the callers of an unusual proxy are not merged.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, 4);
}

/**
 * The same by the /48 of an IPv6 address, which is what one site usually gets (RFC 6177) and contains 65,536 of the
 * others.
 */
export function clientSite(address: string): string {
  return networkOf(address, 3);
}

/** `parts`: how many of the 16-bit parts of an IPv6 address count. */
function networkOf(address: string, parts: number): string {
  const plain = plainAddress(address);
  const parsed = plain.includes(':') ? parseAddress(plain) : null;
  if (parsed === null || !('parts' in parsed)) return plain.slice(0, LONGEST_TEXT);
  const network = parsed.parts.slice(0, parts).map((part) => part.toString(16));
  return `${network.join(':')}::/${parts * 16}`;
}

/** A parsed IP address. */
export type Address = ReturnType<typeof ipaddr.parse>;

/** A network: its address and the length of its prefix. */
export type Cidr = readonly [Address, number];

/** The address in the text, or null; only in the standard notation, not the short, octal or hex forms of inet_aton. */
export function parseAddress(text: string): Address | null {
  return isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.parse(text) : null;
}

/** The network in the text, or null. A bare address is a network of one. */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf('/');
  const address = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return null;
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  if (slash === -1) return [address, bits];
  const prefix = text.slice(slash + 1);
  if (!/^(0|[1-9][0-9]{0,2})$/.test(prefix) || Number(prefix) > bits) return null;
  return [address, Number(prefix)];
}

/** Whether the network contains the address, which is never so for the other IP version. */
export function cidrHolds([network, prefix]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, prefix);
}
