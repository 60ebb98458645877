import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { FanOutWork } from '../src/background/event-fan-out.ts';
import { Receivers } from '../src/background/event-receivers.ts';
import { createEventDestinations } from '../src/features/event-destinations/create-event-destinations.ts';
import { EventLog } from '../src/features/events/event-log.ts';
import { AddressGuard } from '../src/platform/address-guard.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { boundHeapGrowth } from '../src/platform/heap.ts';
import { Keyring } from '../src/platform/keyring.ts';
import { createLog } from '../src/platform/log.ts';
import { Metrics } from '../src/platform/metrics.ts';
import { OutgoingHttp } from '../src/platform/outgoing-http.ts';
import { newRowId } from '../src/platform/row-id.ts';
import { openDatabase } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrator.ts';
import { Notices } from '../src/storage/notices.ts';
import { rowId } from '../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../src/vocabulary/limits.ts';
import { newOwner } from '../test/features/sync-engine/support/world.ts';
import { say, settingsOf } from './lib/child.ts';

boundHeapGrowth();
const { urls, control, events, owners, healthy, waiting } = settingsOf();
const receivers = (Array.isArray(urls) ? urls : []).map(String);
/** How many transactions run at once, as in a busy service. */
const WRITERS = 8;
/** The workers share it with everything else. */
const limits = { ...DEFAULT_LIMITS, event_destinations: receivers.length };

/**
 * A worker of events, as in the service, and a burst of events of several account records, each with its share of the
 * receivers. Reports the time until every healthy receiver had everything. `waiting`: the events wait for the worker to
 * start, and the time is from its start.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-events-'));
const url = process.env.DATABASE_URL;
const database = await openDatabase(
  url === undefined ? { kind: 'embedded', dataDir } : { kind: 'postgres', url },
);
const { db } = database;
await migrate(database);
const log = createLog({ level: 'silent' });
const notices = new Notices(database);
await notices.start();
const guard = new AddressGuard(['127.0.0.0/8']);
const http = new OutgoingHttp({ guard });
const eventLog = new EventLog({ clock, notices });
const keyring = new Keyring([{ id: 'bench', key: Buffer.alloc(32, 1) }]);
const features = createEventDestinations({
  db,
  clock,
  limits,
  guard,
  http,
  eventLog,
  keyring,
  metrics: new Metrics(),
  log,
  notices,
  alsoTo: async () => undefined,
});
const fanOut = new FanOutWork({ clock, log, notices, fanOut: features.eventFanOut });
const delivering = new Receivers({ clock, log, notices, limits, deliveries: features.eventDeliveries });
const people = await Promise.all(Array.from({ length: Number(owners) }, () => newOwner(db)));
for (const [at, address] of receivers.entries()) {
  const owner = people[at % people.length]?.id;
  if (owner === undefined) throw new Error('There is no owner.');
  const wanted = { name: 'Receiver', url: address, enabledEvents: ['*'], metadata: null };
  await features.eventDestinations.create(owner, wanted);
}
if (waiting !== true) await work();
let started = performance.now();
let spent = process.cpuUsage();
const left = Array.from({ length: Number(events) }, (_, at) => at).values();
await Promise.all(
  Array.from({ length: WRITERS }, async () => {
    for (const _ of left) {
      for (const { id } of people) {
        const subject = rowId('sync', newRowId(clock));
        await db.transaction().execute((trx) => eventLog.record(trx, id, 'sync.attention', subject));
      }
    }
  }),
);
const recorded = performance.now() - started;
if (waiting === true) {
  started = performance.now();
  spent = process.cpuUsage();
  await work();
}
const wanted = Number(events) * Number(healthy);
for (;;) {
  const { arrived, p95 } = await read();
  if (arrived >= wanted) {
    say({ arrived, p95, recorded, milliseconds: performance.now() - started, processor: processor() });
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await fanOut.stop();
await delivering.stop(1000);
await notices.stop();
await database.close();
await rm(dataDir, { recursive: true, force: true });

/** Milliseconds of processor time since the deliveries began, in all threads. */
function processor(): number {
  const { user, system } = process.cpuUsage(spent);
  return (user + system) / 1000;
}

async function work(): Promise<void> {
  fanOut.start();
  await delivering.start();
}

async function read(): Promise<{ readonly arrived: number; readonly p95: number }> {
  const answer = await (await request(String(control))).body.text();
  const number = (name: string): number => Number(new RegExp(`"${name}":(\\d+)`).exec(answer)?.[1]);
  return { arrived: number('arrived'), p95: number('p95') };
}
