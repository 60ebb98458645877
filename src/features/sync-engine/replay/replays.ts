import type { DestinationConnector } from '../../../connectors/destinations/destination-contract.ts';
import type { Log } from '../../../platform/log.ts';
import type { AccountRecord } from '../../../storage/account-records.ts';
import { unpackDelivered } from '../../../storage/delivered-rows.ts';
import { chunksInDoubt } from '../../../storage/delivery-chunks.ts';
import { streamsOfSync } from '../../../storage/delivery-streams.ts';
import { type DestinationRow, findDestination } from '../../../storage/destinations.ts';
import { findSync, type SyncRow } from '../../../storage/syncs.ts';
import { findDelivery, type ListedDelivery, listDeliveries } from '../../../storage/webhook-deliveries.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../../vocabulary/service-error.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import { type AskedRange, requireRange } from '../../syncs/run-ranges.ts';
import { type OpenWriterOptions, openWriter } from '../deliver/connector-calls.ts';
import { DeliveryLog } from '../deliver/delivery-log.ts';
import type { SyncSource } from '../read/sync-source.ts';
import {
  LongWork,
  type ReadingOptions,
  readingBesideRuns,
  timesTakenUnlessRunning,
} from '../run/beside-runs.ts';
import type { SyncMetrics } from '../run/run-context.ts';
import { ReplayPass, type ReplayPassOptions } from './replay-pass.ts';
import { rowsOfDays, rowsOfDelivery } from './replay-rows.ts';
import { type Replay, ReplaySender } from './replay-sender.ts';

export interface ReplaysOptions extends OpenWriterOptions, ReadingOptions {
  readonly secrets: DestinationSecrets;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: SyncMetrics;
  readonly source: SyncSource;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
}

/** What was sent to webhooks, and how it is sent again outside a run (docs/webhooks.md#deliveries). */
export class Replays {
  readonly #options: ReplaysOptions;
  readonly #work: LongWork;

  constructor(options: ReplaysOptions) {
    this.#options = options;
    const { replays_at_once: atOnce, replay_seconds: seconds } = options.limits;
    this.#work = new LongWork(options.clock, { what: 'replay', atOnce, seconds });
  }

  /** The latest deliveries of a webhook, newest first. Raises `resource_missing` and `not_a_webhook`. */
  async deliveries(
    owner: OwnerId,
    destination: RowId<'destination'>,
    page: PageRequest,
  ): Promise<Page<ListedDelivery>> {
    const { db, limits } = this.#options;
    await this.#webhook(owner, destination);
    return listDeliveries(db, owner, destination, page, limits.webhook_deliveries);
  }

  /**
   * Sends the rows of a delivery again, as the bank has them now, for LIMIT_REPLAY_SECONDS at most; the ledger is not
   * changed. `permit` raises if the caller may not read rows of the type. Raises `resource_missing`, `not_a_webhook`,
   * `destination_disabled`, `too_many_concurrent_requests`, `sync_already_running` if a run is in progress and nothing
   * was sent yet, `categories_seed_failed`, and `signal.reason`.
   */
  async delivery(
    owner: OwnerId,
    destination: RowId<'destination'>,
    id: RowId<'webhook_delivery'>,
    permit: (type: SyncType) => void,
    signal: AbortSignal,
  ): Promise<Replay> {
    const { db, clock, limits } = this.#options;
    const webhook = await this.#webhook(owner, destination);
    const delivery = await findDelivery(db, owner, destination, id);
    if (delivery === null) throw missing('webhook delivery');
    const sync = await findSync(db, owner, delivery.sync);
    if (sync === null) throw missing('webhook delivery');
    permit(sync.type);
    const rows = new Map(unpackDelivered(delivery.rows).map((one) => [one.account, one]));
    const { options } = sync;
    const replay = await this.#replay(sync, webhook, signal, (account, source) => {
      const wanted = rows.get(account);
      rows.delete(account);
      return wanted === undefined
        ? null
        : rowsOfDelivery(wanted, { now: clock.now(), limits, source, options });
    });
    // Accounts that are no longer in the sync.
    const left = replay.failure === null ? [...rows.values()].flatMap((one) => one.rows) : [];
    return { ...replay, missing: (replay.missing ?? 0) + left.filter(({ removed }) => !removed).length };
  }

  /**
   * Sends what was delivered of these days again. Like `delivery`, and also raises `sync_has_no_destination` and what
   * requireRange raises.
   */
  async days(
    { id: owner, timezone }: Pick<AccountRecord, 'id' | 'timezone'>,
    id: RowId<'sync'>,
    asked: AskedRange,
    permit: (type: SyncType) => void,
    signal: AbortSignal,
  ): Promise<Replay> {
    const { db, clock, limits } = this.#options;
    const sync = await findSync(db, owner, id);
    if (sync === null) throw missing('sync');
    permit(sync.type);
    const destination = await findDestination(db, owner, sync.destination);
    if (destination === null) throw new ServiceError('sync_has_no_destination');
    if (!DESTINATION_KINDS[destination.type].signingSecret) throw notAWebhook();
    const { options } = sync;
    const range = requireRange(sync, asked, { now: clock.now(), timezone, limits });
    return this.#replay(sync, destination, signal, (_account, source) =>
      rowsOfDays(range, { now: clock.now(), limits, source, options }),
    );
  }

  async #webhook(owner: OwnerId, id: RowId<'destination'>): Promise<DestinationRow> {
    const destination = await findDestination(this.#options.db, owner, id);
    if (destination === null) throw missing('destination');
    if (!DESTINATION_KINDS[destination.type].signingSecret) throw notAWebhook();
    return destination;
  }

  async #replay(
    sync: SyncRow,
    destination: DestinationRow,
    signal: AbortSignal,
    rowsOf: ReplayPassOptions['rowsOf'],
  ): Promise<Replay> {
    if (destination.status !== 'active') throw new ServiceError('destination_disabled');
    const taken = await timesTakenUnlessRunning(this.#options.db, sync.account_record, sync.id);
    if (taken === null) throw new ServiceError('sync_already_running');
    return this.#work.of(sync.account_record, signal, (late) =>
      this.#pass(sync, destination, { rowsOf, taken, late, signal }),
    );
  }

  async #pass(
    sync: SyncRow,
    destination: DestinationRow,
    given: Pick<ReplayPassOptions, 'rowsOf' | 'late'> & {
      readonly taken: number;
      readonly signal: AbortSignal;
    },
  ): Promise<Replay> {
    const { db, clock, source, connectors } = this.#options;
    const { rowsOf, taken, late, signal } = given;
    const connector = connectors.get(destination.type);
    if (connector === undefined) throw new TypeError('there is no connector for webhooks');
    const reading = AbortSignal.any([signal, late]);
    const context = await readingBesideRuns(this.#options, sync, destination, reading, async () => false);
    const writer = await openWriter(this.#options, connector, destination, sync, reading);
    const rowForm = connector.rowForm ?? 1;
    const sender = new ReplaySender({
      db,
      clock,
      sync: sync.id,
      writer,
      deliveryLog: DeliveryLog.of(this.#options, destination, sync),
      metrics: this.#options.metrics,
      connector,
      rowForm,
      isIdle: async () =>
        (await timesTakenUnlessRunning(this.#options.db, sync.account_record, sync.id)) === taken,
      signal: reading,
    });
    try {
      const pass = new ReplayPass({
        context: { ...context, writer, connector, rowForm },
        source,
        streams: (await streamsOfSync(db, sync.account_record, sync.id)).filter(({ present }) => present),
        chunks: await chunksInDoubt(db, sync.account_record, sync.id),
        rowsOf,
        sender,
        late,
      });
      const replay = await pass.work();
      if (replay.failure === 'sync_already_running' && replay.deliveries === 0) {
        throw new ServiceError('sync_already_running');
      }
      return replay;
    } finally {
      await writer.close();
    }
  }
}

function notAWebhook(): ServiceError {
  return new ServiceError('not_a_webhook', {
    message: 'Only what was sent to a webhook is logged and can be sent again.',
  });
}
