import { sql } from 'kysely';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { Trx } from './database.ts';

/**
 * One vendor's customer across all account records. If one person links several account records, each has a row, and
 * deleting the customer at the vendor ends all of them. Of other account records, only whether one exists is revealed.
 */
export interface VendorCustomer {
  readonly provider: ProviderIdentifier;
  readonly hash: Uint8Array;
}

/** Locks the customer until the transaction ends, so that it is not stored while its deletion is being decided. */
export async function lockVendorCustomer(trx: Trx, { hash }: VendorCustomer): Promise<void> {
  const lock = Buffer.from(hash).readBigInt64BE();
  await sql`select pg_advisory_xact_lock(${String(lock)}::bigint)`.execute(trx);
}

/** Whether a row of any account record, other than `except`, refers to the customer and is not released. */
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

/** Whether the customer's deletion, for any account record, was in progress at that time or later. */
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
