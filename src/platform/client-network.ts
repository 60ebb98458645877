import { parseAddress } from './cidr.ts';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const LONGEST_TEXT = 64;

/** An IPv4 caller on a dual-stack socket shows as ::ffff:a.b.c.d; it is the same address. */
export function unmapped(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/**
 * Who is behind an address, as far as counting goes: an IPv4 address, or the /64 of an IPv6 one, of which whoever has
 * one has all. A text that is no address stands for itself, so that a strange proxy does not merge its callers.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address.slice(0, LONGEST_TEXT);
  const plain = unmapped(address);
  if (plain !== address) return plain;
  const parsed = parseAddress(address);
  if (parsed === null) return address.slice(0, LONGEST_TEXT);
  if (!('parts' in parsed)) return parsed.toString();
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
