import { createHash } from 'node:crypto';
import type { ProviderCustomer, ProviderGrant } from '../../connectors/providers/provider-contract.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { Sealer } from '../../platform/sealing.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';

/** A page of the vendor that was opened for a link session. */
export interface VendorPage {
  readonly url: string;
  /** What the adapter needs again when the person returns. */
  readonly memo: string;
  /** The way to sign in that the person chose for it (LinkWay.id); null for none. */
  readonly way: string | null;
}

/** The version that every sealed value contains. */
const VERSION = 2;

/**
 * A grant as it is stored. The customer who gave it is stored once, with the end user; a connection without one has its
 * customer here.
 */
export interface StoredGrant {
  readonly grant: ProviderGrant;
  readonly customer: string | null;
}

/** Seals and opens what vendors issued. Each secret opens only in the row for which it was sealed. */
export class LinkingSecrets {
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#sealer = new Sealer(keyring, 'linking');
  }

  sealGrant(consent: RowId<'consent'>, { grant, customer }: StoredGrant): Buffer {
    const { consent: id, institution } = grant;
    const stored = { v: VERSION, consent: id, institution, ...(customer === null ? {} : { customer }) };
    return this.#sealer.seal(JSON.stringify(stored), `consents/${consent}/grant`);
  }

  /** @throws UnsealError */
  openGrant(consent: RowId<'consent'>, sealed: Uint8Array): StoredGrant {
    const value: unknown = JSON.parse(this.#open(sealed, `consents/${consent}/grant`));
    if (!isGrant(value)) throw new TypeError('a sealed grant lacks a member or has an unknown version');
    const { customer = null, consent: id, institution } = value;
    return { grant: { consent: id, institution }, customer };
  }

  sealVendorPage(session: RowId<'link_session'>, page: VendorPage): Buffer {
    return this.#sealer.seal(
      JSON.stringify({ v: VERSION, ...page }),
      `link_sessions/${session}/vendor_state`,
    );
  }

  /** @throws UnsealError */
  openVendorPage(session: RowId<'link_session'>, sealed: Uint8Array): VendorPage {
    const value: unknown = JSON.parse(this.#open(sealed, `link_sessions/${session}/vendor_state`));
    if (!isPage(value)) {
      throw new TypeError('a sealed page of a vendor lacks a member or has an unknown version');
    }
    return { url: value.url, memo: value.memo, way: value.way };
  }

  /** The customer of an end user: the vendor's id, with the secret that gives access to its data. */
  sealEndUser(row: string, { id, secret }: ProviderCustomer): Buffer {
    return this.#sealer.seal(JSON.stringify({ v: VERSION, id, secret }), `end_users/${row}/customer`);
  }

  /** @throws UnsealError */
  openEndUser(row: string, sealed: Uint8Array): ProviderCustomer {
    const value: unknown = JSON.parse(this.#open(sealed, `end_users/${row}/customer`));
    if (!isCustomer(value)) throw new TypeError('a sealed customer lacks a member or has an unknown version');
    return { id: value.id, secret: value.secret };
  }

  #open(sealed: Uint8Array, context: string): string {
    return this.#sealer.open(Buffer.from(sealed), context).toString('utf8');
  }
}

interface SealedGrant extends ProviderGrant {
  readonly customer?: string;
}

function isGrant(value: unknown): value is SealedGrant {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === VERSION &&
    (!('customer' in value) || typeof value.customer === 'string') &&
    'consent' in value &&
    typeof value.consent === 'string' &&
    'institution' in value &&
    typeof value.institution === 'string'
  );
}

function isCustomer(value: unknown): value is ProviderCustomer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === VERSION &&
    'id' in value &&
    typeof value.id === 'string' &&
    'secret' in value &&
    (value.secret === null || typeof value.secret === 'string')
  );
}

function isPage(value: unknown): value is VendorPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === VERSION &&
    'url' in value &&
    typeof value.url === 'string' &&
    'memo' in value &&
    typeof value.memo === 'string' &&
    'way' in value &&
    (value.way === null || typeof value.way === 'string')
  );
}

/** The hash under which one consent of a vendor makes one connection, however often it is reported. */
export function consentHash(provider: ProviderIdentifier, consent: string): Buffer {
  return createHash('sha256').update(`${provider}\n${consent}`).digest();
}

/** The hash under which one customer of a vendor is stored once for an account record, no matter who signs in again. */
export function customerHash(provider: ProviderIdentifier, customer: string): Buffer {
  return createHash('sha256').update(`${provider}\ncustomer\n${customer}`).digest();
}

/** The hash by which a vendor's notification is processed only once. */
export function notificationHash(provider: ProviderIdentifier, id: string): Buffer {
  return createHash('sha256').update(`${provider}\nnotification\n${id}`).digest();
}
