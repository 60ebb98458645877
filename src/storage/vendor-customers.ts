import { sql } from 'kysely';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import type { Trx } from './database.ts';

/**
 * Who a vendor's customer is to all account records together. Of several that one person links, each has a row, and
 * deleting the customer at the vendor ends all. Nothing of another account record is given out but whether there is one.
 */
export interface VendorCustomer {
  readonly provider: ProviderIdentifier;
  readonly hash: Uint8Array;
}

/** Holds the customer until the transaction ends, so that it is not stored while somebody decides to delete it. */
export async function lockVendorCustomer(trx: Trx, { hash }: VendorCustomer): Promise<void> {
  const lock = Buffer.from(hash).readBigInt64BE();
  await sql`select pg_advisory_xact_lock(${String(lock)}::bigint)`.execute(trx);
}

/** Whether a row of any account record, other than `except`, stands for the customer and is not released. */
export async function isVendorCustomerNeeded(
  trx: Trx,
  { provider, hash }: VendorCustomer,
  except: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('end_users')
    .select('id')
    .where('provider', '=', provider)
    .where('customer_hash', '=', hash)
    .where('released_at', 'is', null)
    .where('id', '!=', except)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the customer's deletion, for any account record, was under way at the moment or later. */
export async function isVendorCustomerDeleted(
  trx: Trx,
  { provider, hash }: VendorCustomer,
  since: Date,
): Promise<boolean> {
  const row = await trx
    .selectFrom('end_users')
    .select('id')
    .where('provider', '=', provider)
    .where('customer_hash', '=', hash)
    .where('released_at', 'is not', null)
    .where('renewing_until', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
