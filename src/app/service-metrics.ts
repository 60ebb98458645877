import type { Backups } from '../features/operator/backups.ts';
import type { VendorQuotas } from '../features/rate-limits/vendor-quotas.ts';
import type { Clock } from '../platform/clock.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Db, OpenDatabase } from '../storage/database.ts';
import { lacksWorker, OVERDUE_AGES, SUCCESS_AGES, serviceFigures } from '../storage/service-figures.ts';
import type { EventKind } from '../vocabulary/event-kinds.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { FINAL_RUN_STATUSES } from '../vocabulary/states.ts';

/** Metrics of the whole service, read from the database on each scrape (docs/self-hosting.md#metrics). */
const GAUGES = {
  tributary_queued_runs: { help: 'Sync runs that wait for a worker.' },
  tributary_queued_run_age_seconds: { help: 'How long the run has waited that waits longest.' },
  tributary_running_runs: { help: 'Sync runs under way.' },
  tributary_workers: { help: 'Processes that take runs, with a heartbeat in the last 45 seconds.' },
  tributary_worker_heartbeat_age_seconds: { help: 'Since the last heartbeat of a worker.' },
  tributary_rejected_rows: {
    help: 'Rows that syncs cannot deliver, by who refuses them.',
    label: 'origin',
  },
  tributary_syncs_since_success: {
    help: 'Enabled syncs that last succeeded within that time.',
    label: 'within',
  },
  tributary_syncs_overdue: {
    help: 'Scheduled syncs that have not succeeded for so much longer than their own schedule.',
    label: 'by',
  },
  tributary_sync_longest_since_success_seconds: {
    help: 'Since the enabled sync that waits longest for it last succeeded.',
  },
} as const;

/** Read from the folder of the backups, so that a database that is unreachable does not hide it. */
const BACKUP_GAUGES = {
  tributary_backup_age_seconds: { help: 'Since the last backup of the schedule.' },
} as const;

/** Registers the metrics of the service, of backups and of vendors' quotas; they are read on each scrape. */
export function watchService(
  metrics: Metrics,
  {
    db,
    clock,
    limits,
    quotas,
    backups,
  }: {
    readonly db: Db;
    readonly clock: Clock;
    readonly limits: Pick<Limits, 'sync_interval_minutes'>;
    readonly quotas: Pick<VendorQuotas, 'state'>;
    readonly backups: Pick<Backups, 'age'>;
  },
): void {
  metrics.quotasFrom(() => quotas.state());
  metrics.gauges(BACKUP_GAUGES, async () => ({ tributary_backup_age_seconds: await backups.age() }));
  metrics.gauges(GAUGES, async () => {
    const figures = await serviceFigures(db, new Date(clock.now()), limits);
    return {
      tributary_queued_runs: figures.queuedRuns,
      tributary_queued_run_age_seconds: figures.longestQueued,
      tributary_running_runs: figures.runningRuns,
      tributary_workers: figures.workers,
      tributary_worker_heartbeat_age_seconds: figures.heartbeatAge,
      tributary_rejected_rows: figures.rejectedRows,
      tributary_syncs_since_success: new Map([
        ...SUCCESS_AGES.map(
          (seconds, at) => [`${seconds / 3600}h`, figures.succeededWithin[at] ?? 0] as const,
        ),
        ['any', figures.enabledSyncs] as const,
      ]),
      tributary_syncs_overdue: new Map(
        OVERDUE_AGES.map((seconds, at) => [`${seconds / 3600}h`, figures.overdueBy[at] ?? 0] as const),
      ),
      tributary_sync_longest_since_success_seconds: figures.longestSinceSuccess,
    };
  });
}

/** A run that waits longer than this is waiting for a free worker, not for being noticed. */
const WAITS_FOR_WORKER_MS = 60_000;
/** `/readyz` is open to everyone, so the database is queried at most this often. */
const REMEMBERED_MS = 5_000;

/** The warnings of `/readyz`. Also empty while the database is unreachable. */
export function serviceWarnings({
  database: { db },
  clock,
}: {
  readonly database: Pick<OpenDatabase, 'db'>;
  readonly clock: Clock;
}): () => Promise<readonly string[]> {
  let last: { readonly warnings: Promise<readonly string[]>; readonly until: number } | null = null;
  const read = async (now: number): Promise<readonly string[]> =>
    (await lacksWorker(db, new Date(now), new Date(now - WAITS_FOR_WORKER_MS)).catch(() => false))
      ? ['Sync runs are waiting and no worker is running. Start a process with ROLES=worker.']
      : [];
  return () => {
    const now = clock.now();
    if (last === null || now >= last.until) last = { warnings: read(now), until: now + REMEMBERED_MS };
    return last.warnings;
  };
}

/** Counts a run that ended. Called for each event. */
export function countRun(metrics: Pick<Metrics, 'runEnded'>, kind: EventKind): void {
  const status = FINAL_RUN_STATUSES.find((one) => kind === `sync_run.${one}`);
  if (status !== undefined) metrics.runEnded(status);
}
