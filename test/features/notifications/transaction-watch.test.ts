import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, describe, test } from 'node:test';
import {
  createNotifications,
  type NotificationFeatures,
} from '../../../src/features/notifications/create-notifications.ts';
import { Keyring } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { Jobs } from '../../../src/storage/jobs.ts';
import { insertMembership } from '../../../src/storage/memberships.ts';
import { insertUser } from '../../../src/storage/users.ts';
import { type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { CHOSEN_KINDS } from '../../../src/vocabulary/notification-kinds.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { type BrowserSubscription, SimulatedPushService } from '../../support/push-service.ts';
import { until } from '../linking/person.ts';
import { pending, posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

let world: World;
afterEach(() => world.close());
after(closeDatabase);

const KEYRING = new Keyring([{ id: 'test', key: randomBytes(32) }]);
const ALL = { email: false, push: true, details: true };
const NONE = { email: false, push: false, details: false };

/** A world whose runs are watched, with a push service. */
async function open(t: { readonly after: (close: () => void) => void }) {
  let features: NotificationFeatures | null = null;
  world = await World.open({ watchOf: () => async (sync) => features?.transactionWatches.of(sync) ?? null });
  const { database, clock, limits, guard, http } = world;
  const asked = { first: () => undefined };
  const push = await SimulatedPushService.open(t, () => {
    asked.first();
    asked.first = () => undefined;
    return clock.now();
  });
  features = createNotifications({
    db: database.db,
    clock,
    limits,
    guard,
    http,
    log: createLog({ level: 'silent' }),
    jobs: new Jobs({ clock, notices: { hintOnceCommitted: async () => undefined } }),
    keyring: KEYRING,
    mailer: null,
    sender: null,
    vapidPrivateKey: null,
    appUrl: 'https://app.example.test',
  });
  return { push, features, stage: new Stage(features, push), asked };
}

class Stage {
  readonly #features: NotificationFeatures;
  readonly #push: SimulatedPushService;

  constructor(features: NotificationFeatures, push: SimulatedPushService) {
    this.#features = features;
    this.#push = push;
  }

  /** A member with a browser, who wants these kinds and no others. */
  async member(
    kinds: Partial<Record<(typeof CHOSEN_KINDS)[number], typeof ALL>>,
    cents: number | null = null,
    sync: RowId<'sync'> | null = null,
  ): Promise<BrowserSubscription> {
    const { db } = world.database;
    const now = new Date(world.clock.now());
    const user = rowId('user', newRowId(world.clock));
    const email = `${user}@example.test`;
    await insertUser(db, {
      id: user,
      email,
      email_normalised: email,
      password_hash: '',
      operator: false,
      created: now,
      updated: now,
    });
    const owner = world.owner.id;
    await insertMembership(db, {
      account_record: owner,
      user_id: user,
      role: 'reader',
      created: now,
      updated: now,
    });
    const { notificationSettings, pushService } = this.#features;
    await notificationSettings.choose(user, new Map(CHOSEN_KINDS.map((kind) => [kind, kinds[kind] ?? NONE])));
    const subscription = this.#push.subscribe(await pushService.publicKey());
    await notificationSettings.addDevice({ owner, user }, subscription, undefined);
    const money = { amount: cents ?? 0, currency: 'aud' };
    if (cents !== null) await notificationSettings.addThreshold({ owner, user }, { sync, money });
    return subscription;
  }

  /** Sends what the queue has, as a worker does. */
  async work(): Promise<void> {
    const jobs = await world.database.db
      .selectFrom('jobs')
      .select('payload')
      .where('queue', '=', 'notification')
      .where('account_record', '=', world.owner.id)
      .execute();
    for (const { payload } of jobs) {
      const { notification }: { notification?: unknown } = Object(payload);
      const id = rowId('notification', String(notification));
      await this.#features.notificationDelivery.work(id, new AbortController().signal);
    }
  }

  bodies(subscription: BrowserSubscription): readonly unknown[] {
    return this.#push.shownTo(subscription).map((message) => {
      const { body }: { body?: unknown } = Object(message);
      return body;
    });
  }

  async shown(subscription: BrowserSubscription): Promise<readonly unknown[]> {
    return until(
      async () => this.bodies(subscription),
      (bodies) => bodies.length > 0,
    );
  }
}

/** Adds rows to what the bank has. */
function arrives(account: RowId<'account'>, ...rows: readonly Transaction[]): void {
  world.bank.accounts.set(account, [...rows, ...(world.bank.accounts.get(account) ?? [])]);
}

const LARGE = posted(900, {
  day: 49,
  cents: -125_000,
  description: 'Hardware House',
  merchant_name: 'Hardware House',
});

async function twoSyncs(account: RowId<'account'>) {
  const first = await world.sync([account]);
  const { secrets } = world.receiver;
  const second = await world.sync([account], {}, `${world.receiver.url}/second`);
  world.receiver.secrets = [...secrets, ...world.receiver.secrets];
  return [first, second] as const;
}

describe('a large transaction', () => {
  test('is reported once, in words by what each member asked for, and not to those below their amount', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40, cents: -900_000 })]);
    const sync = await world.sync([account]);
    const detailed = await stage.member({ large_transaction: ALL }, 100_000);
    const plain = await stage.member({ large_transaction: { ...ALL, details: false } }, 125_000, sync.row.id);
    const above = await stage.member({ large_transaction: ALL }, 125_001);
    assert.equal((await world.run(sync)).status, 'succeeded');
    arrives(account, LARGE, posted(901, { day: 49, cents: -99_999 }));
    await world.run(sync);
    const [body] = await stage.shown(detailed);
    assert.match(String(body), /^Large transaction on .+: -1250\.00 AUD, Hardware House\.$/);
    await stage.work();
    assert.deepEqual(stage.bodies(plain), ['There is a large transaction on a linked account.']);
    world.clock.advance(3_600_000);
    await world.run(sync);
    await stage.work();
    assert.equal(stage.bodies(detailed).length, 1, 'the next run reports nothing');
    assert.deepEqual(stage.bodies(above), []);
  });

  test('is said without details by the queue where a push service did not answer, and stored nowhere', async (t) => {
    const { push, stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40 })]);
    const sync = await world.sync([account]);
    const subscription = await stage.member({ large_transaction: ALL }, 100_000);
    await world.run(sync);
    push.answerWith(subscription, 500);
    arrives(account, LARGE);
    await world.run(sync);
    const rows = () =>
      world.database.db
        .selectFrom('notifications')
        .selectAll()
        .where('account_record', '=', world.owner.id)
        .execute();
    const [waiting] = await until(rows, ([row]) => push.received.length > 0 && row?.devices.length === 1);
    assert.ok(
      !/Hardware|1250|125000|900/.test(
        JSON.stringify({
          ...waiting,
          id: '',
          subject: '',
          user_id: '',
          account_record: '',
          devices: [],
          created: '',
        }),
      ),
    );
    push.answerWith(subscription, 201);
    await stage.work();
    assert.deepEqual(stage.bodies(subscription), ['There is a large transaction on a linked account.']);
  });

  test('is said without details to those whose turn does not come within two minutes', async (t) => {
    const { stage, asked } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40 })]);
    const sync = await world.sync([account]);
    const first = await stage.member({ large_transaction: ALL }, 100_000);
    const second = await stage.member({ large_transaction: ALL }, 100_000);
    await world.run(sync);
    asked.first = () => void world.clock.advance(120_000);
    arrives(account, LARGE);
    await world.run(sync);
    assert.match(String((await stage.shown(first))[0]), /Hardware House/);
    await stage.work();
    assert.deepEqual(stage.bodies(second), ['There is a large transaction on a linked account.']);
    assert.equal(stage.bodies(first).length, 1);
  });

  test('is none in the first run of an account, in old history, when skipped or when a pending row posts', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [LARGE]);
    const sync = await world.sync([account], {
      options: { data_from: posted(1).date ?? assert.fail(), include_pending: true },
    });
    const subscription = await stage.member({ large_transaction: ALL }, 100_000);
    await world.run(sync);
    arrives(account, posted(5, { day: 30, cents: -500_000 }));
    await world.run(sync);
    await stage.work();
    assert.deepEqual(stage.bodies(subscription), []);
    const waits = pending(77, { day: 49, cents: -200_000, description: 'Hotel' });
    arrives(account, waits);
    await world.run(sync);
    assert.equal((await stage.shown(subscription)).length, 1, 'when it is pending');
    world.clock.advance(3_600_000);
    world.bank.accounts.set(account, [
      posted(950, { day: 49, cents: -200_000, description: 'Hotel' }),
      ...(world.bank.accounts.get(account) ?? []).filter(({ id }) => id !== waits.id),
    ]);
    await world.run(sync);
    await stage.work();
    assert.equal(stage.bodies(subscription).length, 1, 'and not again when it posts');
  });

  test('in a chunk that was not confirmed is reported once, however often that is sent', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40 })]);
    const sync = await world.sync([account]);
    const subscription = await stage.member({ large_transaction: ALL }, 100_000);
    await world.run(sync);
    arrives(account, LARGE);
    world.receiver.behave = () => ({ status: 500 });
    assert.equal((await world.run(sync)).status, 'failed');
    assert.equal((await stage.shown(subscription)).length, 1);
    world.receiver.behave = () => 'ok';
    world.clock.advance(3_600_000);
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.ok([...world.receiver.rows().values()].length >= 2);
    await stage.work();
    assert.equal(stage.bodies(subscription).length, 1);
  });
});

describe('a transaction', () => {
  test('that two syncs of one account deliver is reported once to each who wants to know, also at the same time', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40 })]);
    const [first, second] = await twoSyncs(account);
    const both = await stage.member({ large_transaction: { ...ALL, details: false } }, 100_000);
    const one = await stage.member({ large_transaction: ALL }, 100_000, second.row.id);
    for (const sync of [first, second]) await world.run(sync);
    arrives(account, LARGE);
    await Promise.all([world.run(first), world.run(second)]);
    await stage.shown(one);
    await stage.work();
    assert.equal(stage.bodies(both).length, 1);
    assert.equal(stage.bodies(one).length, 1);
    world.clock.advance(3_600_000);
    arrives(account, posted(902, { day: 49, cents: -300_000 }));
    await world.run(second);
    await world.run(first);
    await stage.work();
    assert.deepEqual([stage.bodies(both).length, stage.bodies(one).length], [2, 2]);
    const marks = await world.database.db
      .selectFrom('notified_transactions')
      .selectAll()
      .where('account_record', '=', world.owner.id)
      .execute();
    assert.equal(marks.length, 4);
    for (const { mac } of marks) assert.ok(!Buffer.from(mac).includes(LARGE.id));
  });

  test('is not noted as reported by a sync that may not say it yet, so another one does', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40 })]);
    const [first, second] = await twoSyncs(account);
    const member = await stage.member({ large_transaction: { ...ALL, details: false } }, 100_000);
    for (const sync of [first, second]) await world.run(sync);
    arrives(account, LARGE);
    await world.run(first);
    arrives(account, posted(902, { day: 49, cents: -300_000 }));
    // Within the quiet time of the first sync.
    await world.run(first);
    await world.run(second);
    await stage.work();
    assert.equal(stage.bodies(member).length, 2);
  });

  test('that is large to one member is not hidden by many that are large to another', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    world.bank.accounts.set(account, [posted(1, { day: 40 })]);
    const sync = await world.sync([account]);
    const low = await stage.member({ large_transaction: ALL }, 1);
    const high = await stage.member({ large_transaction: ALL }, 100_000);
    await world.run(sync);
    const small = Array.from({ length: 40 }, (_, at) => posted(300 + at, { day: 48, cents: -500 - at }));
    arrives(account, ...small.slice(20), LARGE, ...small.slice(0, 20));
    await world.run(sync);
    const [body] = await stage.shown(high);
    assert.match(String(body), /: -1250\.00 AUD, Hardware House\.$/);
    assert.match(String((await stage.shown(low))[0]), /: -1250\.00 AUD, Hardware House\. And 19 more\.$/);
  });

  test('that is both large and unusual to a member is reported as large', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    const grocer = (row: number, cents: number) =>
      posted(row, { day: 48, cents: -cents, merchant_name: 'Grocer' });
    world.bank.accounts.set(account, [grocer(1, 4_000), grocer(2, 5_000), grocer(3, 6_000)]);
    const sync = await world.sync([account]);
    const member = await stage.member({ large_transaction: ALL, unusual_transaction: ALL }, 100_000);
    const other = await stage.member({ unusual_transaction: ALL });
    await world.run(sync);
    arrives(account, grocer(4, 200_000));
    await world.run(sync);
    assert.match(String((await stage.shown(other))[0]), /^Unusual/);
    await stage.work();
    const [body, ...more] = stage.bodies(member);
    assert.match(String(body), /^Large/);
    assert.deepEqual(more, []);
  });
});

describe('an unusual transaction', () => {
  test('is at least five times the largest other of its merchant, of which the run read three others', async (t) => {
    const { stage } = await open(t);
    const account = world.account();
    const of = (merchant: string, first: number, ...cents: readonly number[]) =>
      cents.map((amount, at) => posted(first + at, { day: 45, cents: -amount, merchant_name: merchant }));
    world.bank.accounts.set(account, [
      ...of('Grocer', 1, 4_000, 5_000, 6_000),
      ...of('Baker', 10, 400, 500, 600),
      ...of('Twice', 20, 400, 500),
    ]);
    const sync = await world.sync([account]);
    const subscription = await stage.member({ unusual_transaction: ALL });
    await world.run(sync);
    arrives(account, ...of('Baker', 30, 2_999), ...of('Twice', 31, 9_000), ...of('Grocer', 32, 30_000));
    await world.run(sync);
    const [body] = await stage.shown(subscription);
    assert.match(String(body), /^Unusual transaction on .+: -300\.00 AUD, Grocer\.$/);
  });
});
