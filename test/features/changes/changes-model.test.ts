import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { ChangePage } from '../../../src/features/changes/change-pages.ts';
import { addDays } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { Copy, FeedWorld } from './support/feed-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Fewer at once than a sync would doubt. */
const MOST_WITHDRAWN = 4;
const BASE_ROWS = 60;

let database: TestDatabase;

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const days = fc.constantFrom(1, 3, 10, 30);
const nth = fc.nat(1000);
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), day: fc.nat(11), cents: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('add pending' as const), cents: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constantFrom('describe', 'move a day', 'withdraw', 'migrate', 'reissue'), nth }),
  fc.record({
    kind: fc.constantFrom('post', 'post under another id', 'post on a day of its own', 'drop pending'),
    nth,
  }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constantFrom('refuse', 'empty', 'short') }),
  fc.record({ kind: fc.constant('read' as const), client: fc.nat(1), limit: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ kind: fc.constant('lose' as const), client: fc.nat(1), limit: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ kind: fc.constant('start the round again' as const), client: fc.nat(1) }),
);

/** A bank that changes as the steps say, and two clients that follow it. */
class Story {
  readonly world: FeedWorld;
  readonly account: Awaited<ReturnType<FeedWorld['account']>>;
  readonly #days: number;
  /** The latest first day that any answer named. */
  #firstDay = '';
  readonly clients = [new Copy(), new Copy()];
  /** As the clients were before the round that they are in. */
  readonly #before = [new Copy(), new Copy()];
  #next = 1000;
  #withdrawn = 0;
  #shortened = false;

  constructor(world: FeedWorld, account: Story['account'], days: number) {
    this.world = world;
    this.account = account;
    this.#days = days;
    world.rows = Array.from({ length: BASE_ROWS }, (_, at) => this.#row(at, at, -(at * 100 + 7)));
  }

  #row(number: number, daysAgo: number, cents: number, more: Partial<Transaction> = {}): Transaction {
    const date = this.world.daysAgo(daysAgo);
    const moment = `${date}T10:00:00+10:00`;
    return {
      ...posted(number, { cents }),
      date,
      post_date: date,
      datetime: moment,
      post_datetime: moment,
      ...more,
    };
  }

  #pick(status: Transaction['status'], nth: number): Transaction | undefined {
    const first = this.world.daysAgo(12);
    const rows = this.world.rows.filter((row) => row.status === status && (row.date ?? first) >= first);
    return rows[nth % Math.max(1, rows.length)];
  }

  #replace(row: Transaction, by: readonly Transaction[]): void {
    this.world.rows = [...this.world.rows.filter(({ id }) => id !== row.id), ...by];
  }

  async take(one: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    const { world } = this;
    this.#next += 1;
    const id = `txn_fk_new_${this.#next}`;
    switch (one.kind) {
      case 'add':
        world.rows.push(this.#row(this.#next, one.day, -one.cents, { id, description: 'shop' }));
        return;
      case 'add pending': {
        const more = { id, status: 'pending', post_date: null, post_datetime: null } as const;
        world.rows.push(this.#row(this.#next, 0, -one.cents, more));
        return;
      }
      case 'wait':
        world.clock.advance(one.hours * HOUR_MS);
        return;
      case 'read':
        return this.read(one.client, one.limit);
      case 'lose':
        await this.#page(one.client, one.limit);
        return;
      case 'start the round again': {
        this.clients[one.client] = (this.#before[one.client] ?? assert.fail()).clone();
        return;
      }
      case 'refuse':
      case 'empty':
      case 'short':
        return this.#badRead(one.kind);
      default:
        this.#change(one.kind, one.nth, id);
    }
  }

  #change(kind: string, nth: number, id: string): void {
    const pending = this.#pick('pending', nth);
    const row = this.#pick('posted', nth);
    if (kind === 'drop pending' && pending !== undefined) this.#replace(pending, []);
    if (kind.startsWith('post') && pending !== undefined) {
      const done = { status: 'posted', post_date: this.world.today } as const;
      const date = kind === 'post on a day of its own' ? this.world.today : pending.date;
      this.#replace(pending, [{ ...pending, ...done, date, id: kind === 'post' ? pending.id : id }]);
    }
    if (row === undefined) return;
    if (kind === 'describe') this.#replace(row, [{ ...row, description: `${row.description}.` }]);
    if (kind === 'migrate') this.#replace(row, [{ ...row, id, former_ids: [row.id] }]);
    if (kind === 'reissue') this.#replace(row, [{ ...row, id, former_ids: [] }]);
    if (kind === 'move a day' && row.date !== null) {
      const date = addDays(row.date, -1);
      // Of a row that leaves the days tracked, clients keep what they have.
      if (date < this.#firstDay) return;
      this.#replace(row, [{ ...row, date, post_date: date }]);
    }
    if (kind === 'withdraw' && this.#withdrawn < MOST_WITHDRAWN) {
      this.#withdrawn += 1;
      this.#replace(row, []);
    }
  }

  /** The bank refuses, answers nothing or half of what it has: no posted row is removed because of that. */
  async #badRead(kind: 'refuse' | 'empty' | 'short'): Promise<void> {
    const { world } = this;
    if (kind === 'short' && this.#shortened) return;
    this.#shortened ||= kind === 'short';
    if (kind === 'refuse')
      world.beforeRead = () => {
        throw new Error('refused');
      };
    else world.answer = (rows) => ({ rows: kind === 'empty' ? [] : rows.filter((_, at) => at % 2 === 0) });
    await this.read(0, 500).catch((error) => assert.equal(error.message, 'refused'));
    world.beforeRead = () => undefined;
    world.answer = (rows) => ({ rows });
  }

  #asked(client: number, limit: number) {
    const { cursor } = this.clients[client] ?? assert.fail();
    const begin = { includePending: true, days: this.#days };
    return { cursor, limit, ...(cursor === null ? begin : {}) };
  }

  async #page(client: number, limit: number): Promise<ChangePage> {
    const page = await this.world.page(this.account, this.#asked(client, limit));
    if (page.firstDay > this.#firstDay) this.#firstDay = page.firstDay;
    return page;
  }

  async read(client: number, limit: number): Promise<void> {
    const copy = this.clients[client] ?? assert.fail();
    const page = await this.#page(client, limit);
    assert.ok(page.added.length + page.modified.length <= limit);
    const has = new Set(this.world.rows.map(({ id }) => id));
    for (const { id, replacedBy } of page.removed) {
      const was = copy.rows.get(id);
      if (was?.status === 'posted') assert.ok(!has.has(id), `${id} was removed, and the bank has it`);
      if (replacedBy !== null) assert.ok(page.added.some((row) => row.id === replacedBy));
    }
    copy.apply(page);
    if (!page.hasMore) this.#before[client] = copy.clone();
  }

  /** Follows the feed until it shows the bank as it is. */
  async settle(client: number, limit: number): Promise<void> {
    const copy = this.clients[client] ?? assert.fail();
    for (let pages = 0; ; pages++) {
      assert.ok(pages < 200, 'the round does not end');
      const page = await this.#page(client, limit);
      copy.apply(page);
      if (page.hasMore) continue;
      const wanted = this.world.rows.filter((row) => (row.date ?? '9') >= page.firstDay);
      const shown = [...copy.rows.values()].filter((row) => (row.date ?? '9') >= page.firstDay);
      const without = ({ former_ids: _former, ...row }: Transaction) => row;
      const byId = (rows: Transaction[]) => rows.map(without).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      this.#compared = [byId(shown), byId(wanted)];
      return;
    }
  }

  #compared: [unknown, unknown] = [[], []];

  /** After days in which nothing happens, each client has exactly what the bank has. */
  async end(): Promise<void> {
    for (const [client, limit] of [
      [0, 3],
      [1, 500],
    ] as const) {
      await this.settle(client, limit);
      // Rows of the last days are not looked for, and what is missing once is looked for again a day later.
      this.world.clock.advance(5 * DAY_MS);
      await this.settle(client, limit);
      this.world.clock.advance(DAY_MS);
      await this.settle(client, limit);
      const [shown, wanted] = this.#compared;
      assert.deepEqual(shown, wanted);
    }
  }
}

test('whatever a bank changes, and whatever answers are lost, clients end with exactly the rows of the bank', async () => {
  await fc.assert(
    fc.asyncProperty(days, fc.array(step, { minLength: 5, maxLength: 40 }), async (tracked, steps) => {
      const world = await FeedWorld.open(database.db, { change_cursor_days: 365 });
      const story = new Story(world, await world.account(), tracked);
      for (const one of steps) await story.take(one);
      await story.end();
    }),
    { numRuns: THOROUGH ? 200 : 25 },
  );
});
