import type { ChunkAttempt, OutgoingChunk } from '../../../connectors/destinations/delivery-rows.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { newRowId } from '../../../platform/row-id.ts';
import type { Db } from '../../../storage/database.ts';
import type { DeliveredRows } from '../../../storage/delivered-rows.ts';
import type { DestinationRow } from '../../../storage/destinations.ts';
import type { SyncRow } from '../../../storage/syncs.ts';
import { type LoggedDelivery, noteDelivery } from '../../../storage/webhook-deliveries.ts';
import { DESTINATION_KINDS } from '../../../vocabulary/destination-kinds.ts';
import { publicId, rowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { WebhookDeliveryStatus } from '../../../vocabulary/webhook-events.ts';
import type { Change } from '../compare/row-changes.ts';

export interface DeliveryLogOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'webhook_deliveries'>;
  readonly log: Pick<Log, 'warn'>;
}

/** The part of a chunk that the log keeps. */
type LoggedChange = Pick<Change, 'account' | 'id' | 'change' | 'day' | 'replaces'>;

/**
 * The attempts to send a sync's events to its webhook (docs/webhooks.md#deliveries). An event is logged with the
 * statement in which the ledger records it, or before: the event of a process that died before that is sent again.
 */
export class DeliveryLog {
  readonly #options: DeliveryLogOptions;
  readonly #sync: SyncRow;

  private constructor(options: DeliveryLogOptions, sync: SyncRow) {
    this.#options = options;
    this.#sync = sync;
  }

  /** Null for a destination that is not a webhook. */
  static of(options: DeliveryLogOptions, { type }: DestinationRow, sync: SyncRow): DeliveryLog | null {
    return DESTINATION_KINDS[type].signingSecret ? new DeliveryLog(options, sync) : null;
  }

  /** What to record of attempts to send a chunk; null if there were none. */
  entry(
    chunk: OutgoingChunk,
    changes: readonly LoggedChange[],
    attempts: readonly ChunkAttempt[],
    status: WebhookDeliveryStatus,
  ): LoggedDelivery | null {
    if (attempts.length === 0) return null;
    const { clock, limits } = this.#options;
    const { account_record, destination, id: sync, type } = this.#sync;
    const { eventId, run, added, updated, removed, created } = chunk;
    const trades = type === 'trades';
    const sent = {
      id: rowId('webhook_delivery', newRowId(clock)),
      account_record,
      destination,
      sync,
      run,
      event_id: eventId,
      kind: trades ? 'trades.synced' : 'transactions.synced',
      // Events of trades have no updated rows.
      new_count: added.length + (trades ? updated.length : 0),
      updated_count: trades ? 0 : updated.length,
      removed_count: removed.length,
      status,
      rows: deliveredRows(changes),
      attempts,
      created: new Date(created),
    } as const;
    return { sent, kept: limits.webhook_deliveries };
  }

  /** Records an entry alone. Never raises: a failure to write the log does not affect the delivery. */
  async note(entry: LoggedDelivery | null): Promise<void> {
    if (entry === null) return;
    try {
      await noteDelivery(this.#options.db, entry.sent, entry.kept);
    } catch (error) {
      this.warn(entry, error);
    }
  }

  /** Reports an entry that could not be recorded. */
  warn({ sent: { sync, event_id: event } }: LoggedDelivery, error: unknown): void {
    this.#options.log.warn(
      'a delivery to a webhook was not logged',
      { sync: publicId('sync', sync), event },
      error,
    );
  }
}

/** The rows by account, with their first and last day. */
function deliveredRows(changes: readonly LoggedChange[]): readonly DeliveredRows[] {
  return [...Map.groupBy(changes, ({ account }) => account)].map(([account, rows]) => {
    const days = rows.map(({ day }) => day).filter((day) => day !== null);
    return {
      account,
      days: days.length === 0 ? null : { first: Math.min(...days), last: Math.max(...days) },
      rows: rows.map(({ id, change, replaces }) => ({ id, removed: change === 'removed', replaces })),
    };
  });
}
