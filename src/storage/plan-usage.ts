import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { PlanLimits } from '../vocabulary/plans.ts';
import type { Db } from './database.ts';

/** How much of what a plan limits the account record has. */
export async function planUsage(db: Db, owner: RowId<'account_record'>): Promise<PlanLimits> {
  const { rows } = await sql<PlanLimits>`
    select
      (select count(*)::int from connections where account_record = ${owner} and revoked_at is null) as connections,
      (select count(*)::int from accounts where account_record = ${owner}) as accounts,
      (select count(*)::int from syncs where account_record = ${owner}) as syncs,
      (select count(*)::int from destinations where account_record = ${owner}) as destinations`.execute(db);
  const [usage] = rows;
  if (usage === undefined) throw new TypeError('counting answered no row');
  return usage;
}
