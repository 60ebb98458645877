import { randomUUID } from 'node:crypto';
import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Change } from '../compare/change.ts';
import { outgoingChunk } from '../deliver/chunk-in-flight.ts';
import type { DeliveryLog } from '../deliver/delivery-log.ts';
import { loggedWrite } from '../deliver/logged-write.ts';
import type { SyncMetrics } from '../run/run-context.ts';
import { whileHeld } from './replay-hold.ts';
import { ReplayEnded } from './replay-result.ts';

export interface ReplaySenderOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly sync: RowId<'sync'>;
  readonly writer: DestinationWriter;
  readonly deliveryLog: DeliveryLog | null;
  readonly metrics: SyncMetrics;
  readonly connector: Pick<DestinationConnector, 'type'>;
  readonly rowForm: number;
  /** Whether no run of the sync is under way, nor was since the replay began. */
  readonly isIdle: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Sends chunks outside a run. What the ledger says of their rows stands as long as no run was taken. */
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
        const { logged } = await loggedWrite(this.#options, chunk, changes, signal);
        await logged;
      } catch (error) {
        if (!(error instanceof DestinationFailure)) throw error;
        throw new ReplayEnded(error.code, error);
      }
      this.deliveries += 1;
      this.sent += changes.length;
    });
  }
}
