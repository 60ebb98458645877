import type { ProviderGrant } from '../connectors/providers/provider-contract.ts';
import type { Keyring } from '../platform/keyring.ts';
import { Sealer } from '../platform/sealing.ts';
import type { RowId } from '../vocabulary/ids.ts';

/** Seals and opens what the vendors gave us. Each secret opens only in the row it was sealed for. */
export class LinkingSecrets {
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#sealer = new Sealer(keyring, 'linking');
  }

  sealGrant(consent: RowId<'consent'>, grant: ProviderGrant): Buffer {
    return this.#sealer.seal(JSON.stringify(grant), `consents/${consent}/grant`);
  }

  /** @throws UnsealError */
  openGrant(consent: RowId<'consent'>, sealed: Uint8Array): ProviderGrant {
    const value: unknown = JSON.parse(this.#open(sealed, `consents/${consent}/grant`));
    if (!isGrant(value)) throw new TypeError('a sealed grant lacks a member');
    return value;
  }

  sealVendorState(session: RowId<'link_session'>, state: string): Buffer {
    return this.#sealer.seal(state, `link_sessions/${session}/vendor_state`);
  }

  /** @throws UnsealError */
  openVendorState(session: RowId<'link_session'>, sealed: Uint8Array): string {
    return this.#open(sealed, `link_sessions/${session}/vendor_state`);
  }

  sealCustomer(row: string, customer: string): Buffer {
    return this.#sealer.seal(customer, `provider_customers/${row}/customer`);
  }

  /** @throws UnsealError */
  openCustomer(row: string, sealed: Uint8Array): string {
    return this.#open(sealed, `provider_customers/${row}/customer`);
  }

  #open(sealed: Uint8Array, context: string): string {
    return this.#sealer.open(Buffer.from(sealed), context).toString('utf8');
  }
}

function isGrant(value: unknown): value is ProviderGrant {
  return (
    typeof value === 'object' &&
    value !== null &&
    'customer' in value &&
    typeof value.customer === 'string' &&
    'consent' in value &&
    typeof value.consent === 'string' &&
    'institution' in value &&
    typeof value.institution === 'string'
  );
}
