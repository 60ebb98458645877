import { sql } from 'kysely';
import type { Limits } from '../vocabulary/limits.ts';
import { MINUTES_OF_DAY } from '../vocabulary/local-times.ts';
import { OWNER_ATTENTION_CODES } from '../vocabulary/syncs.ts';
import type { Db } from './database.ts';
import { WORKER_GONE_MS } from './processes.ts';

/** Time since an enabled sync last succeeded, in seconds: the bounds that its syncs are counted by. */
export const SUCCESS_AGES = [3_600, 21_600, 86_400, 259_200, 604_800] as const;

/** How long after its schedule a sync has not succeeded, in seconds: the bounds that syncs are counted by. */
export const OVERDUE_AGES = [3_600, 86_400, 259_200] as const;

/** The pending and completed work of all processes together, for the operator. Contains nothing about any person. */
export interface ServiceFigures {
  readonly queuedRuns: number;
  /** Seconds; 0 if none is waiting. */
  readonly longestQueued: number;
  readonly runningRuns: number;
  readonly workers: number;
  /** Seconds since the last heartbeat of a worker; null if none is running. */
  readonly heartbeatAge: number | null;
  /** Rows that syncs could not deliver, by reason: unreadable provider data, or refused by the destination. */
  readonly rejectedRows: ReadonlyMap<string, number>;
  /**
   * Enabled syncs that last succeeded within each of SUCCESS_AGES, in that order; one that never did counts from when it
   * was created.
   */
  readonly succeededWithin: readonly number[];
  readonly enabledSyncs: number;
  /** Seconds since the enabled sync that has waited longest for it last succeeded; null if there is none. */
  readonly longestSinceSuccess: number | null;
  /** Scheduled syncs that are overdue by more than each of OVERDUE_AGES, in that order. */
  readonly overdueBy: readonly number[];
}

export async function serviceFigures(
  db: Db,
  now: Date,
  limits: Pick<Limits, 'sync_interval_minutes'>,
): Promise<ServiceFigures> {
  const since = sql`${now}::timestamptz`;
  const { rows: runs } = await sql<{ readonly status: string; readonly count: number; readonly age: number }>`
    select status, count(*)::int as count,
      coalesce(extract(epoch from ${since} - min(dispatched_at)), 0)::float8 as age
    from sync_runs where status in ('queued', 'running') group by status`.execute(db);
  const { rows: workers } = await sql<{ readonly count: number; readonly age: number | null }>`
    select count(*)::int as count, extract(epoch from ${since} - max(seen_at))::float8 as age
    from worker_processes where seen_at > ${new Date(now.getTime() - WORKER_GONE_MS)}::timestamptz`.execute(
    db,
  );
  const { rows: rejected } = await sql<{ readonly origin: string; readonly count: number }>`
    select origin, count(*)::int as count from rejected_rows group by origin`.execute(db);
  const sync = await agesOfSyncs(db, now, limits);
  const of = (status: string) => runs.find((one) => one.status === status);
  return {
    queuedRuns: of('queued')?.count ?? 0,
    longestQueued: Math.max(0, of('queued')?.age ?? 0),
    runningRuns: of('running')?.count ?? 0,
    workers: workers[0]?.count ?? 0,
    heartbeatAge: workers[0]?.age ?? null,
    rejectedRows: new Map(rejected.map(({ origin, count }) => [origin, count])),
    succeededWithin: sync?.within ?? [],
    enabledSyncs: sync?.count ?? 0,
    longestSinceSuccess: sync?.longest ?? null,
    overdueBy: sync?.overdue ?? [],
  };
}

interface AgesOfSyncs {
  readonly within: readonly number[];
  readonly count: number;
  readonly longest: number | null;
  readonly overdue: readonly number[];
}

/**
 * Since when enabled syncs last succeeded, and how many have not done so for longer than their own schedule by each of
 * OVERDUE_AGES: in one statement, since it reads all of them, and of destinations only those of late ones, by their ids
 * (a plain join would read all destinations). A sync without a next run, or that waits for its owner, as may its
 * destination, is not due. One that its owner changed, or whose destination was connected or enabled again, has a whole
 * interval from then on.
 */
async function agesOfSyncs(
  db: Db,
  now: Date,
  { sync_interval_minutes: least }: Pick<Limits, 'sync_interval_minutes'>,
): Promise<AgesOfSyncs | undefined> {
  const within = SUCCESS_AGES.map((bound) => sql`count(*) filter (where age <= ${sql.lit(bound)})::int`);
  const overdue = OVERDUE_AGES.map((bound) => sql`count(*) filter (where late > ${sql.lit(bound)})::int`);
  // Times of day are a day apart at most; the service may allow fewer runs than the owner asked for.
  const minutes = sql`greatest(${sql.lit(least)}, case when schedule_times is null
    then coalesce(schedule_minutes, ${sql.lit(least)}) else ${sql.lit(MINUTES_OF_DAY)} end)`;
  const since = sql`${now}::timestamptz`;
  const leastLate = sql.lit(OVERDUE_AGES[0]);
  const { rows } = await sql<AgesOfSyncs>`
    with ages as materialized (
      select extract(epoch from ${since} - coalesce(last_synced_at, created)) as age, destination, interval_seconds,
        case when next_run_at is not null and (attention is null or attention not in (${sql.join(OWNER_ATTENTION_CODES)}))
        then extract(epoch from ${since} - greatest(coalesce(last_synced_at, created), updated)) - interval_seconds
        end as lateness
      from syncs, lateral (select 60 * ${minutes} as interval_seconds) as schedule where enabled
    )
    select array[${sql.join(within)}] as within, count(*)::int as count, max(age)::float8 as longest,
      (
        select array[${sql.join(overdue)}] from (
          select least(lateness, extract(epoch from ${since} - destinations.updated) - interval_seconds) as late
          from ages join destinations on destinations.id = destination
          where lateness > ${leastLate} and destinations.status = 'active'
            and destinations.id = any (array(select destination from ages where lateness > ${leastLate}))
        ) as late_ones
      ) as overdue
    from ages`.execute(db);
  return rows[0];
}

/**
 * Whether a run has been waiting since before then and no worker is running. The few open runs have an index of their
 * own.
 */
export async function lacksWorker(db: Db, now: Date, waitingSince: Date): Promise<boolean> {
  const gone = new Date(now.getTime() - WORKER_GONE_MS);
  const { rows } = await sql<{ readonly lacks: boolean }>`
    select exists (
        select from sync_runs where status in ('queued', 'running') and status = 'queued'
          and dispatched_at < ${waitingSince}::timestamptz
      ) and not exists (select from worker_processes where seen_at > ${gone}::timestamptz) as lacks`.execute(
    db,
  );
  return rows[0]?.lacks === true;
}

/** How many runs and jobs no one has taken, and enabled syncs no one has started, although they were due before then. */
export async function lateWork(
  db: Db,
  before: Date,
): Promise<{ readonly waiting: number; readonly overdue: number }> {
  const { rows } = await sql<{ readonly waiting: number; readonly overdue: number }>`
    select (
        select count(*) from sync_runs where status in ('queued', 'running') and status = 'queued'
          and dispatched_at < ${before}::timestamptz
      )::int + (
        select count(*) from jobs where due_at < ${before}::timestamptz
          and (lease_until is null or lease_until < ${before}::timestamptz)
      )::int as waiting,
      (select count(*) from syncs where next_run_at < ${before}::timestamptz and enabled)::int as overdue`.execute(
    db,
  );
  return rows[0] ?? { waiting: 0, overdue: 0 };
}
