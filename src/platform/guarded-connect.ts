import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { RefusedAddress } from './outgoing-failure.ts';

/** Node's type for it, declared again so that tests can replace the resolver. */
export type Lookup = LookupFunction;

export const defaultLookup: Lookup = systemLookup;

/**
 * A connector for undici that reaches permitted addresses only. It checks a literal host before connecting (no lookup
 * happens for those), each resolved address before it is tried, and the address of the connected socket. Nothing is
 * resolved twice, so a name whose answer changes between check and use cannot bypass the check.
 *
 * Plain http is for exempt addresses only: financial data never crosses the internet unencrypted.
 */
export function guardedConnect(
  guard: AddressGuard,
  options: { readonly connectMs: number; readonly lookup: Lookup },
): buildConnector.connector {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => [
      protocol,
      buildConnector({
        timeout: options.connectMs,
        allowH2: false,
        lookup: guardedLookup(guard, protocol, options.lookup),
      }),
    ]),
  );
  return (target, callback) => {
    const { hostname, protocol } = target;
    const connector = connectors.get(protocol);
    if (connector === undefined) {
      callback(new RefusedAddress(`The protocol ${protocol} is not supported.`), null);
      return;
    }
    const literalRefusal = isIP(hostname) === 0 ? null : refusal(guard, hostname, protocol, hostname);
    if (literalRefusal !== null) {
      callback(literalRefusal, null);
      return;
    }
    connector(target, (...result) => {
      const [error, socket] = result;
      if (error !== null) {
        callback(error, null);
        return;
      }
      const reached = refusal(guard, socket.remoteAddress ?? 'unknown', protocol, hostname);
      if (reached === null) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(reached, null);
      }
    });
  };
}

/** A lookup that passes on only what the guard permits, and fails when nothing is left. */
function guardedLookup(guard: AddressGuard, protocol: string, lookup: Lookup): Lookup {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses, family) => {
      if (error !== null) {
        callback(error, options.all === true ? [] : '', 0);
        return;
      }
      const found =
        typeof addresses === 'string'
          ? [{ address: addresses, family: family ?? isIP(addresses) }]
          : addresses;
      const permitted = found.filter(({ address }) => refusal(guard, address, protocol, hostname) === null);
      const [first] = permitted;
      if (first === undefined) {
        const reason = refusal(guard, found[0]?.address ?? '', protocol, hostname);
        callback(
          reason ?? new RefusedAddress(`The host ${hostname} has no address.`),
          options.all === true ? [] : '',
          0,
        );
      } else if (options.all === true) {
        callback(null, permitted);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

/** The message leaves out the resolved address: it would let any caller map the operator's network. */
function refusal(
  guard: AddressGuard,
  address: string,
  protocol: string,
  host: string,
): RefusedAddress | null {
  const verdict = guard.classify(address);
  if (verdict.kind === 'special') {
    return new RefusedAddress(
      host === address
        ? (guard.refusalOf(address) ?? '')
        : `The host ${host} resolves to an address that is not on the public internet. ` +
            'To permit it, the operator can add its network to OUTBOUND_ALLOW.',
    );
  }
  if (protocol === 'http:' && verdict.kind !== 'exempt') {
    return new RefusedAddress(
      `The host ${host} can be reached only over https. ` +
        'Plain http is limited to networks that the operator lists in OUTBOUND_ALLOW.',
    );
  }
  return null;
}
