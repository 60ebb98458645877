import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import { RefusedAddress } from './outgoing-failure.ts';

/** A server, by a name or address that a user gave. */
export interface Peer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is encrypted. */
  readonly encrypted: boolean;
}

export interface OutgoingAddressesOptions {
  readonly guard: AddressGuard;
  readonly names: { resolve(owner: string, hostname: string): Promise<readonly string[]> };
  /** `host:port` of the simulators that this process runs; the guard does not apply to them. */
  readonly trusted?: readonly string[];
}

/**
 * Which addresses may be connected to where the protocol is not HTTP. The caller connects to exactly the address
 * returned here, so a name whose answer changes between check and use cannot bypass the check.
 */
export class OutgoingAddresses {
  readonly #options: OutgoingAddressesOptions;
  readonly #trusted: ReadonlySet<string>;

  constructor(options: OutgoingAddressesOptions) {
    this.#options = options;
    this.#trusted = new Set(options.trusted);
  }

  /**
   * Permitted addresses of the server, at least one. Without encryption only networks that the operator lists in
   * OUTBOUND_ALLOW are permitted. Raises RefusedAddress, or NameFailure for a name without an address.
   */
  async permitted(owner: string, { host, port, encrypted }: Peer): Promise<readonly string[]> {
    if (this.#trusted.has(`${host}:${port}`)) return [host];
    const { guard, names } = this.#options;
    const isLiteral = isIP(host) !== 0;
    const found = isLiteral ? [host] : await names.resolve(owner, host);
    const verdicts = found.map((address) => ({ address, kind: guard.classify(address).kind }));
    const permitted = verdicts.filter(({ kind }) => kind === 'exempt' || (kind === 'public' && encrypted));
    if (permitted.length > 0) return permitted.map(({ address }) => address);
    if (verdicts.some(({ kind }) => kind === 'public')) {
      throw new RefusedAddress(
        `The host ${host} can be reached only with encryption. ` +
          'Without, only networks that the operator lists in OUTBOUND_ALLOW are permitted.',
      );
    }
    // The resolved address is left out: it would let any caller map the operator's network.
    throw new RefusedAddress(
      (isLiteral ? guard.refusalOf(host) : null) ??
        `The host ${host} resolves to an address that is not on the public internet. ` +
          'To permit it, the operator can add its network to OUTBOUND_ALLOW.',
    );
  }
}
