import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/database.ts';
import { deleteStaleRows } from '../storage/stale-streams.ts';
import type { Upkeep } from '../storage/upkeep.ts';
import { Periodic } from './periodic.ts';

const LOOK_MS = 5_000;
/** Between two batches, for the statements of others. */
const PAUSE_MS = 20;
/** A fast sync writes some 40 MB of log in that time. */
const UPKEEP_MS = 2_000;

export interface UpkeepWorkOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Null where the server sees to itself. */
  readonly upkeep: Upkeep | null;
}

/** Deletes what deleted syncs and resyncs left, and keeps an embedded database small. Returns what ends it. */
export function startUpkeepWork(options: UpkeepWorkOptions, roles: readonly Role[]): () => Promise<void> {
  const { db, clock, upkeep } = options;
  const stopping = new AbortController();
  const work: Periodic[] = [];
  if (roles.includes('worker')) {
    work.push(
      new Periodic(options, 'stale rows of the ledger', LOOK_MS, async () => {
        while (!stopping.signal.aborted && (await deleteStaleRows(db, null))) {
          await clock.sleep(PAUSE_MS, stopping.signal).catch(() => undefined);
        }
      }),
    );
  }
  // An embedded database has one process, whatever its roles.
  if (upkeep !== null) {
    work.push(new Periodic(options, 'upkeep of the embedded database', UPKEEP_MS, () => upkeep.round()));
  }
  for (const periodic of work) periodic.start();
  return async () => {
    stopping.abort();
    await Promise.all(work.map((periodic) => periodic.stop()));
  };
}
