import { type RawBuilder, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { RunCounts } from '../vocabulary/syncs.ts';
import type { Db } from './database.ts';
import { type DeliveryChunk, intentClause } from './delivery-chunks.ts';
import {
  isSlotTaken,
  type LedgerWrite,
  ledgerClauses,
  type TakenSlots,
  takenSlots,
} from './ledger-writes.ts';
import type { RunLease } from './run-leases.ts';
import { hitsClauses, type RuleHits } from './sync-rulesets.ts';
import { type LoggedDelivery, logClauses } from './webhook-deliveries.ts';

export type ChunkCounts = Pick<RunCounts, 'added' | 'updated' | 'rejected'>;

/** What a chunk adds to the counts of one account. */
export interface DeliveredLine extends ChunkCounts {
  readonly account: RowId<'account'>;
  /** How many rows were read of an account that this chunk completes; absent before that. */
  readonly completed?: number;
}

/** A chunk that the destination accepted. */
export interface DeliveredChunk {
  readonly eventId: string;
  readonly ledger: readonly LedgerWrite[];
  readonly lines: readonly DeliveredLine[];
  /** How many rows this attempt at the run has read so far. */
  readonly read: { readonly processed: number; readonly skipped: number };
  /** Of the rules that were applied to the chunk's rows. */
  readonly hits: RuleHits;
  /** What to log of sending it; absent if that is not logged, or is logged already. */
  readonly log?: LoggedDelivery | null;
}

/**
 * Records that a chunk was delivered (ledger, counts, lines, log and the end of its intent), or the intent of the next
 * chunk, or both. It is one statement and so one transaction: it is never half done, and costs one round trip. False,
 * with nothing recorded, when the lease is no longer held.
 *
 * Every part reads from `held`, which is empty in that case; so the run's row is locked before any other. Every attempt
 * at a run reads from the start, so the number of rows read is set while that of rows written is added to.
 */
export async function recordProgress(
  db: Db,
  lease: RunLease,
  delivered: DeliveredChunk | null,
  intended: DeliveryChunk | null,
): Promise<boolean> {
  try {
    return await record(db, lease, delivered, intended);
  } catch (error) {
    if (delivered === null || !isSlotTaken(error)) throw error;
    return record(db, lease, delivered, intended, await takenSlots(db, delivered.ledger));
  }
}

async function record(
  db: Db,
  lease: RunLease,
  delivered: DeliveredChunk | null,
  intended: DeliveryChunk | null,
  taken?: TakenSlots,
): Promise<boolean> {
  const changes: RawBuilder<unknown>[] = [];
  const clauses: RawBuilder<unknown>[] = [];
  if (delivered !== null) {
    changes.push(...countChanges(delivered));
    clauses.push(
      endClause(delivered),
      lineClause(lease, delivered),
      ...ledgerClauses(delivered.ledger, taken),
    );
    clauses.push(...hitsClauses(delivered.hits));
  }
  const [target, ...logged] = delivered?.log == null ? [] : logClauses(delivered.log);
  clauses.push(...logged);
  if (intended !== null) {
    changes.push(sql`chunks = ${intended.chunk}`);
    clauses.push(intentClause(intended));
  }
  // Destination and sync are locked before the run; the log of a run that was taken over is kept.
  const before = target === undefined ? sql`` : sql`${target}, `;
  const locked = target === undefined ? sql`` : sql`and (select count(*) from target) >= 0`;
  const { rows } = await sql`
    with ${before}held as (
      update sync_runs set ${sql.join(changes)}
      where id = ${lease.run} and fence = ${lease.fence} and status = 'running' ${locked}
      returning id
    )${sql.join(clauses, sql``)}
    select id from held`.execute(db);
  return rows.length === 1;
}

function countChanges({ lines, read }: DeliveredChunk): RawBuilder<unknown>[] {
  const sum = (count: keyof ChunkCounts): number => lines.reduce((total, line) => total + line[count], 0);
  return [
    sql`added = added + ${sum('added')}`,
    sql`updated = updated + ${sum('updated')}`,
    sql`rejected = rejected + ${sum('rejected')}`,
    sql`processed = ${read.processed}`,
    sql`skipped_by_rules = ${read.skipped}`,
  ];
}

function endClause({ eventId }: DeliveredChunk) {
  return sql`, ended as (delete from delivery_chunks using held where event_id = ${eventId}::uuid)`;
}

function lineClause(lease: RunLease, { lines }: DeliveredChunk) {
  return sql`, counted as (
      update sync_run_accounts as line set
        added = line.added + more.added, updated = line.updated + more.updated,
        rejected = line.rejected + more.rejected,
        processed = coalesce(more.completed, line.processed),
        status = case when more.completed is null then line.status else 'succeeded' end
      from held, unnest(
        ${lines.map((line) => line.account)}::uuid[], ${lines.map((line) => line.added)}::int[],
        ${lines.map((line) => line.updated)}::int[],         ${lines.map((line) => line.rejected)}::int[], ${lines.map((line) => line.completed ?? null)}::int[]
      ) as more (account, added, updated, rejected, completed)
      where line.run = ${lease.run} and line.account = more.account
    )`;
}
