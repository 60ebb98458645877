import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { ApiError, Tributary } from '#client';
import { runEnded } from '../../../src/app/demo/demo-steps.ts';
import { demoTarget } from '../../../src/app/demo/demo-target.ts';
import { WebhookReceiver } from '../../../src/app/demo/receiver.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { DESTINATION_TYPES, type DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import { decimal, type Row, WRITERS } from '../../statements/writers.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { generated, THOROUGH } from '../../support/thorough.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';
import { CSV_LAYOUT, csvOf, upload } from './statements.ts';

const SPEED = 20;

/** The machine's clock, running faster: Airtable's limit of requests makes some stories wait for minutes. */
class FastClock implements Clock {
  readonly #start = Date.now();

  now(): number {
    return this.#start + (Date.now() - this.#start) * SPEED;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms / SPEED, signal);
  }
}

let clock: Clock = systemClock;
let service: TestService;
let receiver: Receiver;
let returns: WebhookReceiver;
before(async () => {
  receiver = await new Receiver().open();
  returns = await WebhookReceiver.start();
});
after(async () => {
  await receiver.close();
  await returns.close();
});

const DAYS = 5;
const DAY_MS = 86_400_000;
const CURRENCY = 'AUD';
/** The days of the statement end this many days ago, and the sync begins so many more before them. */
const ENDED = 20;
const dayAgo = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** Rows of a few contents on a few days, so that many are equal. No row of the feed has such an amount. */
interface Drawn {
  readonly day: number;
  readonly minor: number;
  readonly kind: number;
}
const statement = fc
  .array(fc.record({ day: fc.nat(DAYS - 1), minor: fc.constantFrom(-777_713, 888_819), kind: fc.nat(1) }), {
    minLength: 2,
    maxLength: 8,
  })
  .map((rows): readonly Drawn[] => rows.toSorted((a, b) => a.day - b.day));
const cuts = fc.array(
  fc.record({
    days: fc.tuple(fc.nat(DAYS - 1), fc.nat(DAYS - 1)),
    format: fc.constantFrom('CSV', ...Object.keys(WRITERS)),
  }),
  { minLength: 2, maxLength: 4 },
);
const story = fc.record({ statement, cuts, live: fc.boolean(), inFeed: fc.nat(3) });

let stories = 0;

/** What a row says that no other content does, in any format and at any destination. */
const TOKEN = /\bq\d+x\d+\b/;

function textOf(format: string, rows: readonly Row[]): string {
  const write = WRITERS[format];
  if (write !== undefined) return write(rows, CURRENCY);
  return csvOf(
    rows.map(({ date, minor, text, reference = '' }) => ({
      date,
      amount: decimal(minor),
      description: text,
      reference,
    })),
  );
}

/** The texts at the destination, of every row that is there, twice if it is there twice. */
type Arrived = () => readonly string[];

interface Synced {
  readonly sync: string;
  readonly arrived: Arrived;
  /** Rows of earlier cases at the same destination. */
  readonly before: number;
}

/** Where the sync begins. */
const since = (): string => dayAgo(ENDED + 2 * DAYS);

async function destinationOf(
  type: DestinationType,
  owner: TestOwner,
  accounts: readonly string[],
): Promise<{ readonly destination: string; readonly mappings: object; readonly arrived: Arrived }> {
  if (type === 'webhook') {
    const made = await owner.v2('POST', '/v2/destinations', {
      type,
      name: 'books',
      target: { url: receiver.url },
    });
    receiver.secrets = [made.body.config.signing_secret];
    const arrived = () =>
      [...receiver.rowsOfAccounts().values()].map((row) => JSON.stringify(row)).concat(arrivedAgain());
    return { destination: made.body.id, mappings: {}, arrived };
  }
  const { destination, mappings } = await demoTarget({
    type,
    v2: new Tributary({ url: service.url, apiKey: owner.key }),
    app: service.app,
    url: service.url,
    receiver: returns,
    accounts,
    currency: CURRENCY.toLowerCase(),
    holds: 'transactions',
    signal: AbortSignal.timeout(600_000),
  });
  const { received } = service.app.sandbox?.simulators.get(type) ?? {};
  assert.ok(received !== undefined);
  return {
    destination,
    mappings,
    arrived: () => received.rows().map(({ values }) => Object.values(values).join(' ')),
  };
}

async function take(
  owner: TestOwner,
  format: string,
  rows: readonly Row[],
  account: string | null,
): Promise<Json> {
  const { id } = await upload(owner, `cut.${format}`, textOf(format, rows), {
    ...(account === null ? {} : { account }),
    ...(format === 'CSV' ? { layout: CSV_LAYOUT } : {}),
  });
  const { status, body } = await owner.v2('POST', `/v2/documents/${id}/take`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** A live account of a bank, and posted rows that its feed has in the days of the statement. */
async function liveFeed(
  owner: TestOwner,
): Promise<{ readonly account: string; readonly rows: readonly Json[] }> {
  const id = await linkBank(owner, { customer: 'salaried-household' });
  const { accounts } = await importedConnection(owner, id);
  const account: string = accounts[0].id;
  const path = `/v2/transactions?account=${account}&from=${dayAgo(ENDED + DAYS)}&to=${dayAgo(ENDED)}&limit=100`;
  return { account, rows: (await owner.v2('GET', path)).body.data };
}

describe('overlapping cuts of a statement, in any order, format and repetition, alone and beside the live feed', () => {
  const types: readonly DestinationType[] = THOROUGH ? DESTINATION_TYPES : ['webhook', 'postgres'];
  for (const type of types) {
    test(`show every row once at ${type}`, async (t) => {
      // Receivers of webhooks refuse signatures of another hour.
      clock = type === 'airtable' ? new FastClock() : systemClock;
      service = await startService({}, { clock });
      t.after(() => service.close());
      await fc.assert(
        fc.asyncProperty(story, async (drawn) => {
          stories += 1;
          const owner = await service.owner();
          const feed = drawn.live ? await liveFeed(owner) : null;
          const rows = rowsOf(drawn.statement, stories);
          // Rows that the feed has under texts of its own, which must not arrive a second time.
          const inFeed = (feed?.rows ?? []).slice(0, drawn.inFeed).map(
            ({ date, amount: { amount } }, at): Row => ({
              date,
              minor: amount,
              text: `As in the feed q${stories}x${1000 + at}`,
              reference: `feed-${at}`,
            }),
          );
          const whole = [...rows, ...inFeed].toSorted((a, b) =>
            a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
          );
          const covered = new Set<Row>();
          let made: Synced | null = null;
          let account: string | null = feed?.account ?? null;
          for (const { days, format } of [...drawn.cuts, ...drawn.cuts.toReversed()]) {
            const [first, last] = [Math.min(...days), Math.max(...days)].map((day) =>
              dayAgo(ENDED + DAYS - 1 - day),
            );
            const part = whole.filter(({ date }) => date >= (first ?? '') && date <= (last ?? ''));
            if (part.length === 0) continue;
            const { parts } = await take(owner, format, part, account);
            for (const row of part) covered.add(row);
            const ofFiles: string = parts[0].account;
            account ??= ofFiles;
            made ??= await syncOf(type, owner, feed === null ? [ofFiles] : [ofFiles, feed.account]);
          }
          if (made === null) return;
          const v2 = new Tributary({ url: service.url, apiKey: owner.key });
          await lastRun(v2, made.sync);
          const tokens = made
            .arrived()
            .flatMap((text) => TOKEN.exec(text)?.[0] ?? [])
            .filter((token) => token.startsWith(`q${stories}x`));
          const live =
            feed === null
              ? []
              : await v2.transactions.list({ account: feed.account, from: since(), limit: 100 }).all();
          const expected = rows.filter((row) => covered.has(row)).map(({ text }) => TOKEN.exec(text)?.[0]);
          assert.deepEqual(tokens.toSorted(), expected.toSorted());
          assert.equal(made.arrived().length - made.before, expected.length + live.length);
        }),
        { numRuns: generated(6) },
      );
      assert.deepEqual(receiver.faults, []);
    });
  }

  /** Waits for the runs that taking files began, and for one that began after all of them. */
  async function lastRun(v2: Tributary, sync: string): Promise<void> {
    const signal = AbortSignal.timeout(600_000);
    const begun = clock.now();
    for (;;) {
      const [latest] = (await v2.syncs.listRuns({ id: sync, limit: 1 }).page()).data;
      if (latest === undefined) throw new Error('The sync was made without a run.');
      const ended = await runEnded(v2, latest.id, signal);
      assert.equal(ended.status, 'succeeded', JSON.stringify(ended));
      if (Date.parse(ended.created) >= begun) return;
      // Another one may have begun meanwhile, which is then the latest.
      await v2.syncs.run({ id: sync }, { retries: 0 }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
      });
    }
  }

  async function syncOf(
    type: DestinationType,
    owner: TestOwner,
    accounts: readonly string[],
  ): Promise<Synced> {
    const { destination, mappings, arrived } = await destinationOf(type, owner, accounts);
    const before = arrived().length;
    const { status, body } = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'Statement',
      destination,
      accounts,
      ...mappings,
      mapping_mode: 'bulk',
      options: { data_from: since() },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return { sync: body.id, arrived, before };
  }
});

/** Rows that came as new again: a receiver that keeps them by id would not show it. */
function arrivedAgain(): readonly string[] {
  const seen = new Set<string>();
  return receiver.events
    .flatMap(({ data }) => data.new)
    .map(({ account_item, id }) => `${account_item}/${id}`)
    .filter((row) => seen.size === seen.add(row).size);
}

function rowsOf(drawn: readonly Drawn[], nth: number): readonly Row[] {
  return drawn.map(({ day, minor, kind }, at) => ({
    date: dayAgo(ENDED + DAYS - 1 - day),
    minor,
    text: `Corner Shop q${nth}x${day * 10 + kind * 2 + (minor < 0 ? 1 : 0)}`,
    reference: `ref-${nth}-${at}`,
  }));
}
