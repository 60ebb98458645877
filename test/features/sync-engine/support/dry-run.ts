import { sql } from 'kysely';
import type { DryRun } from '../../../../src/features/sync-engine/verify/dry-run-result.ts';
import { DryRuns, type DryRunsOptions } from '../../../../src/features/sync-engine/verify/dry-runs.ts';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { World } from './world.ts';

/** Everything a dry run must leave as it is. */
const TABLES = [
  'syncs',
  'sync_runs',
  'sync_run_accounts',
  'delivery_streams',
  'delivery_ledger',
  'delivery_chunks',
  'stream_readings',
  'missing_rows',
  'stale_streams',
  'destinations',
  'rules',
];

export async function dryRun(
  world: World,
  sync: Sync,
  {
    rulesOf,
    signal = new AbortController().signal,
  }: Pick<DryRunsOptions, 'rulesOf'> & { signal?: AbortSignal } = {},
): Promise<DryRun> {
  const { clock, limits, source, secrets, database } = world;
  const runs = new DryRuns({
    db: database.db,
    clock,
    limits,
    source,
    secrets,
    ...(rulesOf === undefined ? {} : { rulesOf }),
  });
  return runs.of(world.owner.id, sync.row.id, () => undefined, signal);
}

/** The content of every table of syncs, as text. */
export async function stored({ database }: World): Promise<string> {
  const parts: string[] = [];
  for (const table of TABLES) {
    const { rows } = await sql<{ text: string | null }>`
      select string_agg(entry::text, ';' order by entry::text) as text from ${sql.table(table)} as entry
    `.execute(database.db);
    parts.push(`${table}: ${rows[0]?.text ?? ''}`);
  }
  return parts.join('\n');
}
