import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { SCHEMA } from '../../../../sandbox/actual/schema.ts';
import { BudgetDatabase } from '../../../../src/connectors/destinations/actual/budget-database.ts';
import { actualConnector } from '../../../../src/connectors/destinations/actual/connector.ts';
import type { CreationRequest } from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { findDestination } from '../../../../src/storage/destinations.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { openedSync } from '../support/opened-sync.ts';
import { HurriedClock } from '../ynab/scene.ts';
import { granted, Scene, type SceneOptions } from './scene.ts';

after(closeDatabase);

const { signal } = new AbortController();
const MOST = DEFAULT_LIMITS.budget_file_bytes;
const HOUR_MS = 3_600_000;

async function ready(options: SceneOptions = {}, rows = [posted(1, { day: 49 })]) {
  const opened = await Scene.open(options);
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, rows);
  return { opened, account, sync: await opened.sync([account]) };
}

/** The way to the secret of a scene. */
function accessOf({ world, destination }: Scene, owner = 'owner') {
  const grant = world.secrets.grant(destination) ?? assert.fail('no grant');
  return { owner, current: async () => grant, renew: async () => assert.fail('it is not renewed') };
}

describe('a run whose budget cannot be written', () => {
  const cases: Record<string, readonly [(opened: Scene) => void, string, string]> = {
    'the password was changed': [
      ({ vendor }) => vendor.control.changePassword('other'),
      'destination_auth_failed',
      'reauth_required',
    ],
    'the budget was deleted': [
      ({ vendor, budget }) => vendor.control.deleteBudget(budget),
      'destination_resource_missing',
      'active',
    ],
    'the account was closed': [
      (opened) => opened.vendor.control.changeAccount(opened.budget, opened.at('Everyday'), { closed: true }),
      'destination_resource_missing',
      'active',
    ],
    'the account was deleted': [
      (opened) =>
        opened.vendor.control.changeAccount(opened.budget, opened.at('Everyday'), { deleted: true }),
      'destination_resource_missing',
      'active',
    ],
    'the budget was encrypted': [
      ({ vendor, budget }) => vendor.control.encrypt(budget, 'secret words'),
      'destination_auth_failed',
      'reauth_required',
    ],
  };
  for (const [what, [act, failure, status]] of Object.entries(cases)) {
    test(`because ${what} ends as ${failure}, and the destination is ${status}`, async () => {
      const { opened, sync } = await ready();
      await using _ = opened;
      act(opened);
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.failure, run.retryable], ['failed', failure, false]);
      const { database, owner } = opened.world;
      assert.equal((await findDestination(database.db, owner.id, opened.destination.id))?.status, status);
      assert.deepEqual(opened.vendor.control.rows(), []);
    });
  }

  const faults = [
    ['rate-limit', 'rate_limited'],
    ['server-error', 'run_failed'],
    ['malformed-json', 'run_failed'],
    ['html-page', 'run_failed'],
    ['oversized-body', 'run_failed'],
  ] as const;
  for (const [kind, failure] of faults) {
    test(`(${kind}) ends as ${failure}, and the next run writes each row once`, async () => {
      const { opened, sync } = await ready();
      await using _ = opened;
      opened.vendor.control.addFault({ route: '*', kind, count: 4 });
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.failure], ['failed', failure]);
      opened.vendor.control.clearFaults();
      opened.world.clock.advance(HOUR_MS);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.equal(opened.shown().length, 1);
    });
  }

  test('is one whose file is larger than the limit [limit budget_file_bytes]', async () => {
    const { opened, sync } = await ready({ limits: { ...DEFAULT_LIMITS, budget_file_bytes: 65_536 } });
    await using _ = opened;
    const { control } = opened.vendor;
    const noise = randomBytes(60_000).toString('base64');
    const account = opened.at('Everyday');
    control.enter(opened.budget, { account, date: '2026-01-02', amount: 1, notes: noise });
    control.upload(opened.budget);
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'run_failed', false]);
  });
});

describe('a run', () => {
  test('goes on where the session ended, and where the sync was reset, between two chunks', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => posted(at + 1, { day: 49 }));
    for (const interrupt of ['session', 'reset'] as const) {
      const { opened, sync } = await ready({ chunkRows: 10 }, rows);
      await using _ = opened;
      opened.world.bank.pageSize = 10;
      let isInterrupted = false;
      opened.world.bank.beforePage = () => {
        if (isInterrupted || opened.shown().length === 0) return;
        isInterrupted = true;
        if (interrupt === 'session') opened.vendor.control.endSession();
        else opened.vendor.control.resetSync(opened.budget);
      };
      const run = await opened.world.run(sync);
      assert.deepEqual([isInterrupted, run.status, run.added], [true, 'succeeded', 100], interrupt);
      assert.equal(opened.shown().length, 100, interrupt);
    }
  });

  test('writes a budget that is encrypted end to end, with its password and no other', async () => {
    for (const [given, failure] of [
      ['secret%20words', null],
      ['others', 'destination_auth_failed'],
    ] as const) {
      const { opened, sync } = await ready({ secret: `?encryption_password=${given}` });
      await using _ = opened;
      opened.vendor.control.encrypt(opened.budget, 'secret words');
      assert.equal((await opened.world.run(sync)).failure, failure);
      assert.equal(opened.shown().length, failure === null ? 1 : 0);
    }
  });
});

test('nothing is sent in the clear to a server that calls an encrypted budget unencrypted', async () => {
  const { opened, sync } = await ready({ secret: '?encryption_password=secret+words' });
  await using _ = opened;
  opened.vendor.control.clearRequests();
  assert.equal((await opened.world.run(sync)).failure, 'destination_auth_failed');
  assert.deepEqual(opened.shown(), []);
  assert.ok(!opened.calls().includes('POST sync'));
});

describe('signing in', () => {
  test('is refused for a wrong password, a wrong token and an address that is no server of Actual', async () => {
    await using opened = await Scene.open();
    const { url } = opened.vendor;
    const secrets = {
      password: url.replace('://', '://:wrong@'),
      session: url.replace('://', '://token:wrong@'),
      address: `${url.replace('://', '://:sandbox@')}/elsewhere`,
    };
    for (const [what, secret] of Object.entries(secrets)) {
      const outcome = await opened.connector.signIn?.check('owner', secret, signal);
      assert.ok(outcome?.kind === 'refused' && new RegExp(what).test(outcome.message), what);
      assert.ok(!/wrong|sandbox/.test(outcome.message), 'it repeats the secret');
    }
  });

  test('that the server refuses to try again, or that no one answers, is a failure of the server', async () => {
    await using opened = await Scene.open();
    for (const [kind, situation] of [
      ['rate-limit', 'rate_limited'],
      ['unavailable', 'server_error'],
    ] as const) {
      opened.vendor.control.addFault({ route: 'POST *', kind, count: 9 });
      await assert.rejects(
        granted(opened.connector, opened.vendor.secret),
        (error) => error instanceof UpstreamFailure && error.situation === situation,
      );
      opened.vendor.control.clearFaults();
    }
  });
});

describe('what there is', () => {
  const names = async (opened: Scene, type: 'budget' | 'account' | 'category', parent: string | null) =>
    (await opened.connector.resources?.list(accessOf(opened), { type, parent, limit: 100 }, signal))?.map(
      ({ name }) => name,
    );

  test('are budgets, open accounts, and the categories that people see', async () => {
    await using opened = await Scene.open();
    assert.deepEqual(await names(opened, 'budget', null), ['Household', 'Aotearoa', 'Tokyo', 'Plain']);
    assert.deepEqual(await names(opened, 'account', opened.budget), ['Everyday', 'Savings', 'Mortgage']);
    assert.deepEqual(await names(opened, 'category', opened.budget), [
      'Bills: Electricity',
      'Bills: Internet',
      'Bills: Rent',
      'Usual Expenses: Eating Out',
      'Usual Expenses: Groceries',
      'Usual Expenses: Transport',
    ]);
    await assert.rejects(
      names(opened, 'account', 'none'),
      (error) => error instanceof UpstreamFailure && error.situation === 'bad_request',
    );
  });

  test('is not read for one owner so often at once that another has to wait', async () => {
    await using opened = await Scene.open();
    opened.vendor.control.addFault({
      route: 'GET /sync/download-user-file',
      kind: 'latency',
      latencyMs: 150,
      count: 40,
    });
    const list = (owner: string) =>
      opened.connector.resources?.list(
        accessOf(opened, owner),
        { type: 'account', parent: opened.budget, limit: 9 },
        signal,
      );
    const order: string[] = [];
    const greedy = Array.from({ length: 12 }, () => list('greedy')?.then(() => order.push('greedy')));
    const modest = list('modest')?.then(() => order.push('modest'));
    await Promise.all([...greedy, modest]);
    assert.ok(order.indexOf('modest') < 4, order.join());
  });

  const request = (opened: Scene, more: Partial<CreationRequest> = {}): CreationRequest => ({
    key: 'wish-1',
    again: false,
    name: 'Money',
    parent: null,
    target: { budget_id: opened.budget },
    type: 'transactions',
    mappingMode: 'bulk',
    accounts: (['transaction', 'loan'] as const).map((type, at) => ({
      id: JSON.parse(JSON.stringify(`0192f0c4-0000-7000-8000-00000000000${at}`)),
      name: `Bank ${type}`,
      institution: 'Test Bank',
      type,
      maskedNumber: null,
    })),
    ...more,
  });

  test('gets accounts that are asked for, once for each key, also when the answer was lost', async () => {
    await using opened = await Scene.open();
    const make = (more: Partial<CreationRequest> = {}) =>
      opened.connector.create?.(accessOf(opened), request(opened, more), signal);
    opened.vendor.control.addFault({ route: 'POST /sync/sync', kind: 'drop-answer', after: 1, count: 9 });
    await assert.rejects(
      make() ?? assert.fail(),
      (error) => error instanceof DestinationFailure && error.outcome === 'unknown',
    );
    opened.vendor.control.clearFaults();
    const first = await make({ again: true });
    assert.deepEqual(await make({ again: true }), first);
    assert.deepEqual(
      first?.mappings.map(({ destination_account_name: name }) => name),
      ['Bank transaction (Test Bank)', 'Bank loan (Test Bank)'],
    );
    const accounts = await names(opened, 'account', opened.budget);
    assert.equal(accounts?.length, 5);
    await make({ key: 'wish-2' });
    assert.equal((await names(opened, 'account', opened.budget))?.length, 7);
    await assert.rejects(make({ target: null }) ?? assert.fail(), /make one there/);
  });
});

test('nothing is written by a clock that is further ahead than devices accept', async () => {
  await using opened = await Scene.open();
  const http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
  const request = (key: string): CreationRequest => ({
    key,
    again: false,
    name: 'Money',
    parent: null,
    target: { budget_id: opened.budget },
    type: 'transactions',
    mappingMode: 'bulk',
    accounts: [
      {
        id: JSON.parse('"0192f0c4-0000-7000-8000-000000000001"'),
        name: 'Bank',
        institution: 'Test Bank',
        type: 'savings',
        maskedNumber: null,
      },
    ],
  });
  for (const [minutes, isTaken] of [
    [4, true],
    [6, false],
  ] as const) {
    const clock = new HurriedClock(() => opened.world.clock.now() + minutes * 60_000);
    const connector = actualConnector({ http, clock, limits: DEFAULT_LIMITS });
    const made = connector.create?.(accessOf(opened), request(`wish-${minutes}`), signal);
    if (isTaken) await made;
    else await assert.rejects(made ?? assert.fail(), /more than five minutes ahead/);
  }
  assert.equal(opened.summary.accounts.length, 5);
  await http.close();
});

describe('a budget file', () => {
  const fileWith = (sql: string): Buffer => {
    const db = new DatabaseSync(':memory:');
    db.exec(SCHEMA);
    db.exec(sql);
    return Buffer.from(db.serialize());
  };

  test('in which reading or writing a row could run something is refused, and its triggers are gone', () => {
    for (const sql of [
      'DROP TABLE payees; CREATE VIEW payees AS SELECT 1 AS id, 2 AS name, 3 AS tombstone, 4 AS transfer_acct',
      'DROP TABLE notes; DROP TABLE payee_mapping; CREATE TABLE payee_mapping (id TEXT, targetId TEXT CHECK (length(id) > 0))',
      'DROP TABLE preferences; CREATE TABLE preferences (id TEXT, value TEXT GENERATED ALWAYS AS (id))',
      'DROP TABLE categories',
      'CREATE TABLE tributary_created (id TEXT)',
      'DROP VIEW v_transactions; ALTER TABLE transactions DROP COLUMN reconciled',
    ])
      assert.throws(() => new BudgetDatabase(fileWith(sql), MOST), DestinationFailure, sql);
    assert.throws(() => new BudgetDatabase(Buffer.from('no database'), MOST), DestinationFailure);
    const trigger = 'CREATE TRIGGER t AFTER INSERT ON payees BEGIN UPDATE payees SET name = 1; END';
    using database = new BudgetDatabase(fileWith(trigger), MOST);
    assert.deepEqual(database.all("SELECT name FROM sqlite_schema WHERE type = 'trigger'"), []);
  });

  test('without its indexes is given them, so that no lookup reads a whole table', () => {
    using database = new BudgetDatabase(fileWith('DROP INDEX messages_crdt_search'), MOST);
    const plan = database.all(
      "EXPLAIN QUERY PLAN SELECT max(timestamp) FROM messages_crdt WHERE dataset = '' AND row = '' AND column = ''",
    );
    assert.match(String(plan[0]?.detail), /^SEARCH .* INDEX tributary_/);
  });
});

test('what is read back is what was sent; what a person changed differs, and what is theirs is left out', async () => {
  const rows = [
    posted(1, { day: 49, merchant_name: 'CORNER SHOP', cents: -1230 }),
    ...Array.from({ length: 600 }, (_, at) => posted(at + 2, { day: 49 })),
  ];
  const { opened, sync, account } = await ready({}, rows);
  await using _ = opened;
  const account_mappings = [{ account, destination_account: opened.at('Everyday') }];
  const opening = {
    owner: 'owner',
    target: opened.destination.target,
    secrets: [],
    access: accessOf(opened),
    sync: openedSync({ account_mappings }),
    recorded: async () => new Set<string>(),
    accountsWithRows: async () => null,
  };
  const texts = new Map<string, string>();
  const writer = await opened.connector.open(opening, signal);
  for (const transaction of rows) {
    const { account: of } = await opened.world.bank.open(opened.world.owner.id, account);
    const more = { customCategory: null, memo: null, tags: [], replaces: null };
    texts.set(transaction.id, writer.encode({ kind: 'transaction', account: of, transaction, ...more }, 1));
  }
  assert.equal((await opened.world.run(sync)).status, 'succeeded');
  opened.edit('row 3', { amount: 4242 });
  opened.edit('row 2', { notes: 'mine' });
  opened.edit('row 4', { reconciled: true, amount: 4242 });
  const { reading } = writer;
  const differing: string[] = [];
  const leftOut = new Map<string, number>();
  let count = 0;
  for await (const page of reading?.rows(signal) ?? assert.fail('it cannot be read')) {
    for (const { keys, values } of page) {
      const [id] = [...texts.keys()].filter((one) =>
        keys.includes(reading?.keysOf(one, null, account)[0] ?? ''),
      );
      const expected = reading?.shown(texts.get(id ?? '') ?? '') ?? {};
      if (Object.entries(values).some(([name, value]) => value !== expected[name])) differing.push(id ?? '');
      const omitted = Object.keys(expected).filter((name) => !Object.hasOwn(values, name));
      if (omitted.length > 0) leftOut.set(id ?? '', omitted.length);
      count++;
    }
  }
  await writer.close();
  assert.deepEqual([count, differing], [601, [posted(3).id]]);
  assert.deepEqual(Object.fromEntries(leftOut), { [posted(2).id]: 1, [posted(4).id]: 5 });
});
