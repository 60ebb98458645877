import type { Selectable } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import type { Db } from './database.ts';
import type { ProviderCustomersTable } from './linking-tables.ts';

export type ProviderCustomer = Selectable<ProviderCustomersTable>;

export async function findProviderCustomer(
  db: Db,
  owner: RowId<'account_record'>,
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

/**
 * The right to ask the vendor for a customer, for one process at a time. null when the vendor has answered already or
 * another process is asking. A claim that ran out keeps its id, so the vendor is asked for the same person again.
 */
export async function claimProviderCustomer(
  db: Db,
  claim: {
    id: string;
    owner: RowId<'account_record'>;
    provider: ProviderIdentifier;
    now: Date;
    until: Date;
  },
): Promise<ProviderCustomer | null> {
  const row = await db
    .insertInto('provider_customers')
    .values({
      id: claim.id,
      account_record: claim.owner,
      provider: claim.provider,
      customer: null,
      claimed_until: claim.until,
      created: claim.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_record', 'provider'])
        .doUpdateSet({ claimed_until: claim.until })
        .where('provider_customers.customer', 'is', null)
        .where((where) =>
          where.or([
            where('provider_customers.claimed_until', 'is', null),
            where('provider_customers.claimed_until', '<=', claim.now),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps the vendor's answer, or, with null, gives the claim back. */
export async function settleProviderCustomer(
  db: Db,
  owner: RowId<'account_record'>,
  provider: ProviderIdentifier,
  customer: Buffer | null,
): Promise<void> {
  await db
    .updateTable('provider_customers')
    .set({ customer, claimed_until: null })
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('customer', 'is', null)
    .execute();
}
