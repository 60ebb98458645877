import {
  createEventDestinations,
  type EventsOptions,
} from '../../../../src/features/event-destinations/create-event-destinations.ts';
import type { EventDestination } from '../../../../src/features/event-destinations/event-destinations.ts';
import { EventLog } from '../../../../src/features/events/event-log.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { SimulatedClock } from '../../../../src/platform/clock.ts';
import { defaultLookup, type Lookup } from '../../../../src/platform/guarded-connect.ts';
import { Keyring } from '../../../../src/platform/keyring.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { Metrics } from '../../../../src/platform/metrics.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import type { AccountRecord } from '../../../../src/storage/account-records.ts';
import type { Db } from '../../../../src/storage/database.ts';
import type { Places } from '../../../../src/storage/event-destination-leases.ts';
import type { Notices } from '../../../../src/storage/notices.ts';
import type { EventKind } from '../../../../src/vocabulary/event-kinds.ts';
import { publicId, rowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/vocabulary/limits.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { newOwner } from '../../sync-engine/support/world.ts';
import { EventReceiver } from './event-receiver.ts';

type EventNotices = EventsOptions['notices'] & Pick<Notices, 'hintOnceCommitted'>;
const KEYRING = new Keyring([{ id: 'test', key: Buffer.alloc(32, 7) }]);
/** For a worker that takes one event destination at a time. */
export const ONE_PLACE: Places = { free: 1, held: new Map() };
export const UNHEARD: EventNotices = {
  publish: async () => undefined,
  hintOnceCommitted: async () => undefined,
  connected: false,
  onNotice: () => undefined,
  onLost: () => undefined,
};
let shared: Promise<TestDatabase> | null = null;

/** For `after` of a test file. */
export async function closeEventDatabase(): Promise<void> {
  await (await shared)?.close();
  shared = null;
}

/** Events of one account record on a real database, sent to real receivers. Worlds of a test file share the database. */
export class EventWorld implements AsyncDisposable {
  readonly clock = new SimulatedClock(Date.now());
  readonly database: TestDatabase;
  readonly owner: AccountRecord;
  readonly limits: Limits;
  readonly guard: AddressGuard;
  readonly http: OutgoingHttp;
  readonly metrics = new Metrics();
  readonly receivers: EventReceiver[] = [];
  readonly features: ReturnType<EventWorld['process']>;

  private constructor(
    database: TestDatabase,
    owner: AccountRecord,
    limits: Partial<Limits>,
    allow: string[],
    lookup: Lookup,
  ) {
    this.database = database;
    this.owner = owner;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.guard = new AddressGuard(allow);
    this.http = new OutgoingHttp({ guard: this.guard, lookup });
    this.features = this.process(database.db);
  }

  /** @param allow networks of OUTBOUND_ALLOW; receivers of tests are on this machine */
  static async open(
    limits: Partial<Limits> = {},
    allow = ['127.0.0.0/8'],
    lookup = defaultLookup,
  ): Promise<EventWorld> {
    shared ??= openTestDatabase();
    const database = await shared;
    return new EventWorld(database, await newOwner(database.db), limits, allow, lookup);
  }

  /** The features as one process has them, by default without notices. `db`: another way to the same database, for deaths. */
  process(db: Db, notices: EventNotices = UNHEARD) {
    const { clock, limits, guard, http } = this;
    const eventLog = new EventLog({ clock, notices });
    return {
      eventLog,
      ...createEventDestinations({
        db,
        clock,
        limits,
        guard,
        http,
        eventLog,
        keyring: KEYRING,
        metrics: this.metrics,
        log: createLog({ level: 'silent' }),
        notices,
        alsoTo: async () => undefined,
      }),
    };
  }

  /** A receiver with an event destination that sends to it. */
  async subscribed(
    ...enabledEvents: string[]
  ): Promise<{ receiver: EventReceiver; destination: EventDestination }> {
    const receiver = await EventReceiver.open();
    this.receivers.push(receiver);
    const destination = await this.features.eventDestinations.create(this.owner.id, {
      name: 'Receiver',
      url: receiver.url,
      enabledEvents: enabledEvents.length === 0 ? ['*'] : enabledEvents,
      metadata: null,
    });
    receiver.secrets = [destination.secret ?? ''];
    return { receiver, destination };
  }

  /** Something happens. Answers the event's id as receivers see it. */
  async happens(
    kind: EventKind = 'sync.attention',
    subject: string = newRowId(this.clock),
    { eventLog } = this.features,
  ): Promise<string> {
    const event = await this.database.db
      .transaction()
      .execute((trx) => eventLog.record(trx, this.owner.id, kind, subject));
    return publicId('event', event.id);
  }

  /** Hands on what happened and delivers what is due, as workers do until nothing is left. */
  async deliver({ eventFanOut, eventDeliveries } = this.features): Promise<void> {
    while (await eventFanOut.round());
    for (;;) {
      const { taken } = await eventDeliveries.take(ONE_PLACE);
      if (taken.length === 0) return;
      for (const one of taken) await eventDeliveries.work(one, never);
    }
  }

  read({ id }: EventDestination): Promise<EventDestination> {
    return this.features.eventDestinations.read(this.owner.id, id);
  }

  newSubject(): string {
    return rowId('sync', newRowId(this.clock));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http.close();
    for (const receiver of this.receivers) await receiver[Symbol.asyncDispose]();
  }
}

const never = new AbortController().signal;
