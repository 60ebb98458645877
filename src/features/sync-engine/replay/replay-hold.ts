import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import { giveSyncBack, holdSync, isSyncHeld } from '../../../storage/sync-replays.ts';
import type { RowId } from '../../../vocabulary/ids.ts';

/** Longer than one chunk can take with all its attempts: what a process that died holds up runs for at most. */
const HOLD_MS = 200_000;
const ASK_EVERY_MS = 250;

interface HoldContext {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Does work during which no run of the sync writes. A run says that it is running before it asks whether the sync is
 * held, and `work` is to ask whether a run is running: whichever comes second sees the other.
 */
export async function whileHeld<T>(
  { db, clock }: HoldContext,
  sync: RowId<'sync'>,
  work: () => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  const now = clock.now();
  await holdSync(db, sync, id, new Date(now), new Date(now + HOLD_MS));
  try {
    return await work();
  } finally {
    await giveSyncBack(db, id);
  }
}

/** Waits until no chunk of a replay of the sync is being sent. Raises what storage raises, or the reason of the abort. */
export async function untilNotHeld(
  { db, clock }: HoldContext,
  sync: RowId<'sync'>,
  signal: AbortSignal,
): Promise<void> {
  while (await isSyncHeld(db, sync, new Date(clock.now()))) await clock.sleep(ASK_EVERY_MS, signal);
}
