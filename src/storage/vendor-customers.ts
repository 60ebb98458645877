import { type Selectable, sql } from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { Db, Trx } from './database.ts';
import type { ProviderCustomersTable } from './linking-tables.ts';
import { owned } from './owned-rows.ts';

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

export type ProviderCustomer = Selectable<ProviderCustomersTable>;

/** The end user that an earlier version made for all links of the account record. */
export async function findProviderCustomer(
  db: Db,
  owner: OwnerId,
  provider: ProviderIdentifier,
): Promise<ProviderCustomer | null> {
  const row = await db
    .selectFrom('provider_customers')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row ?? null;
}

/** The same, locked until the transaction ends: if the last two connections end at once, the second sees the first. */
export async function lockProviderCustomer(
  trx: Trx,
  owner: OwnerId,
  provider: ProviderIdentifier,
): Promise<ProviderCustomer | null> {
  const row = await trx
    .selectFrom('provider_customers')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Whether a connection or a session needs the shared end user: those without their own do. */
export async function isProviderCustomerNeeded(
  db: Db,
  owner: OwnerId,
  provider: ProviderIdentifier,
): Promise<boolean> {
  const connection = await db
    .selectFrom('connections')
    .select('id')
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('cleaned_at', 'is', null)
    .where('end_user', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('end_users')
            .select(sql`1`.as('one'))
            .whereRef('end_users.connection', '=', 'connections.id'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  if (connection !== undefined) return true;
  const session = await db
    .selectFrom('link_sessions')
    .select('id')
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('end_user', 'is', null)
    .where('renews', 'is', null)
    .where('settle_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

/** Shared end users of any owner that may no longer be needed: none of the owner's connections is at the provider. */
export async function idleProviderCustomers(db: Db, limit: number): Promise<ProviderCustomer[]> {
  return db
    .selectFrom('provider_customers')
    .selectAll()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('connections')
            .select(sql`1`.as('one'))
            .whereRef('connections.account_record', '=', 'provider_customers.account_record')
            .whereRef('connections.provider', '=', 'provider_customers.provider')
            .where('connections.cleaned_at', 'is', null)
            .where('connections.end_user', 'is', null)
            .where((inner) =>
              inner.not(
                inner.exists(
                  inner
                    .selectFrom('end_users')
                    .select(sql`1`.as('one'))
                    .whereRef('end_users.connection', '=', 'connections.id'),
                ),
              ),
            ),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function deleteProviderCustomer(db: Db, owner: OwnerId, id: string): Promise<void> {
  await owned(db.deleteFrom('provider_customers'), owner, id).execute();
}
