import { sql } from 'kysely';
import type { Db } from '../../storage/database.ts';
import { sealDestination, webhooksInClear } from '../../storage/destinations.ts';
import { MAINTENANCE_MS, withStatementDeadline } from '../../storage/statement-deadline.ts';
import type { DestinationSecrets } from './destination-secrets.ts';

const BATCH = 100;

/**
 * Seals the targets that earlier versions left in clear, at every start: SQL cannot, and a process of an earlier version
 * that still runs may write another. Broken off, it goes on at the next start. Returns how many it sealed.
 */
export async function sealTargets(db: Db, secrets: DestinationSecrets): Promise<number> {
  let done = 0;
  for (;;) {
    const found = await webhooksInClear(db, BATCH);
    for (const row of found) await sealDestination(db, row, secrets.sealTarget(row.id, row.target));
    done += found.length;
    if (found.length < BATCH) break;
  }
  // The old rows are still in the table's file, and samples of them in the planner's statistics.
  if (done > 0) {
    await withStatementDeadline(MAINTENANCE_MS, async () => {
      await sql`vacuum full destinations`.execute(db);
      await sql`analyze destinations`.execute(db);
    });
  }
  return done;
}
