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
}

/**
 * Sealed values contain their version; those without one are of the first. The second is written only for customers
 * with a secret, because processes of the previous release, which run alongside during an upgrade, must be able to open
 * the others.
 */
const GRANT_VERSION = 2;
const CUSTOMER_VERSION = 2;

/**
 * A grant as it is stored. A customer with a secret is stored once, with the end user. `customer` is the customer's id
 * if the id alone gives access to its data, otherwise null; it is used only if the connection has no end user.
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
    const version = customer === null ? { v: GRANT_VERSION } : { v: 1, customer };
    const stored = { ...version, consent: id, institution };
    return this.#sealer.seal(JSON.stringify(stored), `consents/${consent}/grant`);
  }

  /** Reads a version 2 with a customer as well, of connections without an end user. @throws UnsealError */
  openGrant(consent: RowId<'consent'>, sealed: Uint8Array): StoredGrant {
    const value: unknown = JSON.parse(this.#open(sealed, `consents/${consent}/grant`));
    if (!isGrant(value)) throw new TypeError('a sealed grant lacks a member or has an unknown version');
    const { customer = null, consent: id, institution } = value;
    return { grant: { consent: id, institution }, customer };
  }

  sealVendorPage(session: RowId<'link_session'>, page: VendorPage): Buffer {
    return this.#sealer.seal(JSON.stringify({ v: 2, ...page }), `link_sessions/${session}/vendor_state`);
  }

  /** Null for what versions before 0011 stored, from which no page can be opened again. @throws UnsealError */
  openVendorPage(session: RowId<'link_session'>, sealed: Uint8Array): VendorPage | null {
    return vendorPageOf(this.#open(sealed, `link_sessions/${session}/vendor_state`));
  }

  /** The customer of an end user: the vendor's id, with the secret that gives access to its data. */
  sealEndUser(row: string, { id, secret }: ProviderCustomer): Buffer {
    const bare = secret === null && !id.startsWith('{');
    const stored = bare ? id : JSON.stringify({ v: CUSTOMER_VERSION, id, secret });
    return this.#sealer.seal(stored, `end_users/${row}/customer`);
  }

  /** Also reads version 1, which was just the vendor's id. @throws UnsealError */
  openEndUser(row: string, sealed: Uint8Array): ProviderCustomer {
    const text = this.#open(sealed, `end_users/${row}/customer`);
    if (!text.startsWith('{')) return { id: text, secret: null };
    const value: unknown = JSON.parse(text);
    if (!isCustomer(value)) throw new TypeError('a sealed customer lacks a member or has an unknown version');
    return { id: value.id, secret: value.secret };
  }

  /** The vendor's id of an end user that an earlier version created for all links. @throws UnsealError */
  openCustomer(row: string, sealed: Uint8Array): string {
    return this.#open(sealed, `provider_customers/${row}/customer`);
  }

  #open(sealed: Uint8Array, context: string): string {
    return this.#sealer.open(Buffer.from(sealed), context).toString('utf8');
  }
}

interface SealedGrant extends ProviderGrant {
  readonly customer?: string;
}

function isGrant(value: unknown): value is SealedGrant {
  if (typeof value !== 'object' || value === null) return false;
  const version = 'v' in value ? value.v : 1;
  const named = 'customer' in value && typeof value.customer === 'string';
  return (
    (version === 1 ? named : version === GRANT_VERSION && (named || !('customer' in value))) &&
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
    value.v === CUSTOMER_VERSION &&
    'id' in value &&
    typeof value.id === 'string' &&
    'secret' in value &&
    (value.secret === null || typeof value.secret === 'string')
  );
}

function vendorPageOf(text: string): VendorPage | null {
  if (!text.startsWith('{')) return null;
  const value: unknown = JSON.parse(text);
  if (!isPage(value)) throw new TypeError('a sealed page of a vendor lacks a member');
  return { url: value.url, memo: value.memo };
}

function isPage(value: unknown): value is VendorPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === 2 &&
    'url' in value &&
    typeof value.url === 'string' &&
    'memo' in value &&
    typeof value.memo === 'string'
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
