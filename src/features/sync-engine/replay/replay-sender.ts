import { randomUUID } from 'node:crypto';
import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import { giveSyncBack, holdSync, isSyncHeld } from '../../../storage/webhook-deliveries.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import type { Change } from '../compare/row-changes.ts';
import { outgoingChunk, writeChunk } from '../deliver/chunks.ts';
import type { DeliveryLog } from '../deliver/delivery-log.ts';
import type { SyncMetrics } from '../run/run-context.ts';

/** What a replay did. */
export interface Replay {
  /** Rows, and ids of removed rows, that the receiver accepted. */
  sent: number;
  /** Rows of the delivery that are gone, or that rules now skip; null for a replay of days. */
  missing: number | null;
  /** Rows not yet delivered, or whose delivery is unconfirmed: the next run sends them. */
  undelivered: number;
  /** Events that the receiver accepted. */
  deliveries: number;
  /** Why it is incomplete. */
  failure: ErrorCode | RunFailureCode | null;
}

/** Nothing more is sent. */
export class ReplayEnded extends Error {
  readonly code: ErrorCode | RunFailureCode;

  constructor(code: ReplayEnded['code'], cause?: unknown) {
    super(`a replay ended: ${code}`, { cause });
    this.name = 'ReplayEnded';
    this.code = code;
  }
}

/** Longer than one chunk can take with all its attempts: the longest that a process that died can delay runs. */
const HOLD_MS = 200_000;
const ASK_EVERY_MS = 250;

interface HoldContext {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Does work during which no run of the sync writes. A run marks itself as running before it checks whether the sync is
 * held, and `work` must check whether a run is running: the later of the two sees the other.
 */
async function whileHeld<T>(
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

export interface ReplaySenderOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly sync: RowId<'sync'>;
  readonly writer: DestinationWriter;
  readonly deliveryLog: DeliveryLog | null;
  readonly metrics: SyncMetrics;
  readonly connector: Pick<DestinationConnector, 'type'>;
  readonly rowForm: number;
  /** Whether no run of the sync is in progress, or was since the replay began. */
  readonly isIdle: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Sends chunks outside a run. The ledger's entries of their rows remain valid as long as no run is taken. */
export class ReplaySender {
  readonly #options: ReplaySenderOptions;
  deliveries = 0;
  sent = 0;

  constructor(options: ReplaySenderOptions) {
    this.#options = options;
  }

  /** Raises ReplayEnded, what storage raises, or the reason of an abort. */
  async send(changes: readonly Change[], last: boolean): Promise<void> {
    const { clock, sync, rowForm, isIdle, signal } = this.#options;
    await whileHeld(this.#options, sync, async () => {
      if (!(await isIdle())) throw new ReplayEnded('sync_already_running');
      signal.throwIfAborted();
      const number = this.deliveries + 1;
      const chunk = outgoingChunk(changes, {
        eventId: randomUUID(),
        run: null,
        number,
        total: last ? number : null,
        rowForm,
        created: clock.now(),
        again: false,
      });
      try {
        const { entry } = await writeChunk(this.#options, chunk, changes, signal);
        await this.#options.deliveryLog?.note(entry);
      } catch (error) {
        if (!(error instanceof DestinationFailure)) throw error;
        throw new ReplayEnded(error.code, error);
      }
      this.deliveries += 1;
      this.sent += changes.length;
    });
  }
}
