import ipaddr from 'ipaddr.js';
import { hasPlainHost } from '../vocabulary/plain-hosts.ts';
import { type Address, type Cidr, cidrHolds, parseAddress, parseCidr } from './network-addresses.ts';

/** What a URL given by a user must satisfy. */
export type UrlRules = {
  /** Refuse plain http, except towards OUTBOUND_ALLOW. */
  readonly httpsOnly: boolean;
  /** The only ports to permit, except towards OUTBOUND_ALLOW; any when absent. */
  readonly ports?: readonly number[];
};

/** `exempt`: OUTBOUND_ALLOW names it; `public`: on the internet; `special`: neither, with the name of its range. */
export type Verdict =
  | { readonly kind: 'exempt' }
  | { readonly kind: 'public' }
  | { readonly kind: 'special'; readonly range: string };

const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|home\.arpa)$/;
/** The well-known prefix of NAT64 (RFC 6052): the last 32 bits are the IPv4 address meant. */
const NAT64: Cidr = [ipaddr.parse('64:ff9b::'), 96];
/** Where Azure answers its own machines, although this is not a special-purpose address. */
const PLATFORM: Cidr = [ipaddr.parse('168.63.129.16'), 32];
/** The only block from which IANA allocates public IPv6 addresses. */
const GLOBAL_UNICAST: Cidr = [ipaddr.parse('2000::'), 3];

/**
 * Keeps requests that users can cause away from the operator's own network (server-side request forgery).
 * `checkUrl` checks a URL when it is given; `classify` and `refusalOf` check the address actually connected to.
 */
export class AddressGuard {
  readonly #allow: readonly Cidr[];

  /**
   * @param allow OUTBOUND_ALLOW: networks to permit although they are not public
   * @throws TypeError when an entry is not a CIDR
   */
  constructor(allow: readonly string[]) {
    this.#allow = allow.map((text) => {
      const cidr = parseCidr(text);
      if (cidr === null) throw new TypeError(`"${text}" is not a network in CIDR notation.`);
      return cidr;
    });
  }

  /** Classifies an IP address. Any other text is special. */
  classify(address: string): Verdict {
    const parsed = parseAddress(address);
    if (parsed === null) return { kind: 'special', range: 'not an IP address' };
    const meant = carriedAddress(parsed);
    if (this.#allow.some((cidr) => cidrHolds(cidr, parsed) || cidrHolds(cidr, meant)))
      return { kind: 'exempt' };
    const range = meant.range();
    if (range !== 'unicast') return { kind: 'special', range };
    if (cidrHolds(PLATFORM, meant)) return { kind: 'special', range: 'cloud platform' };
    if (meant.kind() === 'ipv6' && !cidrHolds(GLOBAL_UNICAST, meant))
      return { kind: 'special', range: 'unassigned' };
    return { kind: 'public' };
  }

  /** Why the service may not connect to this address, as a sentence, or null when it may. */
  refusalOf(address: string): string | null {
    const verdict = this.classify(address);
    if (verdict.kind !== 'special') return null;
    return `The address ${address} is not on the public internet (${verdict.range}). ${howToPermit('it')}`;
  }

  /**
   * Why the service may not send to this URL, as a sentence, or null when it may. Host names are checked by
   * their form only, since what they resolve to can change: where OUTBOUND_ALLOW is set, any name passes here,
   * and the connection decides.
   */
  checkUrl(url: URL, rules: UrlRules): string | null {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The URL must start with https://.';
    if (url.username !== '' || url.password !== '') {
      return 'The URL must not contain a user name or password; the service would have to store them unencrypted.';
    }
    if (url.hostname === '') return 'The URL must name a host.';
    if (!hasPlainHost(url)) return 'The host of the URL must be a DNS name or an IP address.';
    const host = url.hostname.toLowerCase().replace(/\.+$/, '');
    // URLs take one dot off the end of an address, not several.
    const literal = parseAddress(host.replace(/^\[|\]$/g, ''));
    if (literal !== null) {
      const refusal = this.refusalOf(literal.toString());
      if (refusal !== null) return refusal;
      if (this.classify(literal.toString()).kind === 'exempt') return null;
      return `The URL must name a host, not the address ${literal.toString()}. ${howToPermit('the address')}`;
    }
    if (this.#allow.length > 0) return null;
    if (host === '') return 'The URL must name a host.';
    if (LOCAL_NAME.test(host)) {
      return `The host ${host} is on the local network. ${howToPermit('it')}`;
    }
    if (rules.httpsOnly && url.protocol !== 'https:') {
      return `The URL must start with https://. ${howToPermit('plain http inside your own network')}`;
    }
    return portRefusal(url, rules.ports);
  }
}

function portRefusal(url: URL, ports: readonly number[] | undefined): string | null {
  if (ports === undefined) return null;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (ports.includes(port)) return null;
  return `The URL must use port ${ports.join(' or ')}, not ${port}. ${howToPermit('other ports inside your own network')}`;
}

function howToPermit(what: string): string {
  return `To permit ${what}, the operator can add the network to OUTBOUND_ALLOW.`;
}

/** The IPv4 address inside an IPv4-mapped, NAT64 or 6to4 address; any other address as it is. */
function carriedAddress(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const bytes = address.toByteArray();
  if (cidrHolds(NAT64, address)) return ipaddr.fromByteArray(bytes.slice(12));
  switch (address.range()) {
    case 'ipv4Mapped':
      return ipaddr.fromByteArray(bytes.slice(12));
    case '6to4':
      return ipaddr.fromByteArray(bytes.slice(2, 6));
    default:
      return address;
  }
}
