import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed IP address. */
export type Address = ReturnType<typeof ipaddr.parse>;

/** A network: its address and the length of its prefix. */
export type Cidr = readonly [Address, number];

/** The address in the text, or null; only the standard spellings, not the short, octal or hex forms of inet_aton. */
export function parseAddress(text: string): Address | null {
  return isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.parse(text) : null;
}

/** The network in the text, or null. A bare address is the network that holds only itself. */
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

/** Whether the network holds the address. Addresses of the other IP version are never inside. */
export function cidrHolds([network, prefix]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, prefix);
}
