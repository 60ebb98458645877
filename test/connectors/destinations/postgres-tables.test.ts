import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ShownRow } from '../../../src/connectors/destinations/destination-contract.ts';
import { pending, posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { chunkOf, chunkRow, writerOf } from './postgres/chunks.ts';
import { accessTo, closeServer, Scene, signedIn } from './postgres/scene.ts';

after(closeDatabase);
after(closeServer);

const NO_SIGNAL = new AbortController().signal;
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => posted(at + 1, { day: 49 }));

function columnsOf(scene: Scene): string[] {
  return Object.keys(Object.assign({}, ...scene.rows().map(({ values }) => values))).toSorted();
}

describe('what people do to a table', () => {
  test('a column that was renamed or moved is written under its new name', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf(rowsOf(3));
    await scene.run(sync);
    await scene.execute('alter table % rename column description to what');
    scene.world.bank.accounts.set(account, [...rowsOf(3), posted(4, { day: 49, description: 'new one' })]);
    assert.equal((await scene.run(sync)).added, 1);
    assert.ok(!columnsOf(scene).includes('description'));
    assert.ok(scene.rows().some(({ values }) => values.what === 'new one'));
  });

  test('a column that was dropped is made again, and columns of their own stay as they are', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf(rowsOf(3));
    await scene.run(sync);
    await scene.execute("alter table % drop column merchant, add column mine text default 'kept'");
    scene.world.bank.accounts.set(account, rowsOf(4));
    assert.equal((await scene.run(sync)).added, 1);
    assert.deepEqual(
      scene.rows().map(({ values }) => values.mine),
      ['kept', 'kept', 'kept', 'kept'],
    );
  });

  test('a column of another type takes what it can hold, and the rows that it cannot hold are rejected alone', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf(rowsOf(3));
    await scene.run(sync);
    await scene.execute('alter table % alter column description type varchar(30)');
    const long = posted(5, { day: 49, description: 'x'.repeat(31) });
    scene.world.bank.accounts.set(account, [...rowsOf(4), long]);
    const { added, rejected } = await scene.run(sync);
    assert.deepEqual([added, rejected], [1, 1]);
    assert.equal(scene.rows().length, 4);
  });

  for (const type of ['numeric(20,2)', 'real', 'double precision', 'money'] as const) {
    test(`an amount that a column of ${type} would round is rejected, and those that it holds exactly arrive`, async () => {
      await using scene = await Scene.open();
      await scene.control.execute(`drop view "${scene.schema}".bank_rows_monthly`);
      await scene.execute(`alter table % alter column amount type ${type}`);
      const rounded = posted(1, { day: 49, amount_decimal: '-1234567890123456.015' });
      const exact = posted(2, { day: 49, amount_decimal: '-12.50' });
      const { sync } = await scene.syncOf([rounded, exact]);
      const { added, rejected } = await scene.run(sync);
      assert.deepEqual([added, rejected], [1, 1]);
      assert.deepEqual(
        scene.rows().map(({ id }) => id),
        [exact.id],
      );
    });
  }

  test('a text that a column of fixed length would cut is rejected, and one that fits arrives whole', async () => {
    await using scene = await Scene.open();
    await scene.control.execute(`drop view "${scene.schema}".bank_rows_monthly`);
    await scene.execute(
      'alter table % alter column currency type char(3), alter column description type name',
    );
    const cut = posted(1, { day: 49, description: 'x'.repeat(70) });
    const whole = posted(2, { day: 49, description: 'fits' });
    const { sync } = await scene.syncOf([cut, whole]);
    const { added, rejected } = await scene.run(sync);
    assert.deepEqual([added, rejected], [1, 1]);
    const [row] = scene.rows();
    assert.deepEqual([row?.values.currency, row?.values.description], ['AUD', 'fits']);
  });

  test('a row that something of their own refers to stays, and the others come and go', async () => {
    await using scene = await Scene.open();
    const [held, gone] = [pending(1, { day: 49 }), pending(2, { day: 49 })];
    const { account, sync } = await scene.syncOf([held, gone], { options: { include_pending: true } });
    await scene.run(sync);
    const receipts = `"${scene.schema}".receipts`;
    await scene.execute(`create table ${receipts} (row text references % (tributary_id))`);
    await scene.execute(`insert into ${receipts} values ('${held.id}')`);
    scene.world.bank.accounts.set(account, [posted(3, { day: 49 })]);
    const { status, added } = await scene.run(sync);
    assert.deepEqual([status, added], ['succeeded', 1]);
    assert.deepEqual(
      scene
        .rows()
        .map(({ id }) => id)
        .toSorted(),
      [held.id, posted(3).id].toSorted(),
    );
  });

  test('a constraint that is checked at the end of a transaction rejects the rows that break it, alone', async () => {
    await using scene = await Scene.open();
    await scene.execute(
      'alter table % add constraint one_of_each unique (description) deferrable initially deferred',
    );
    const twice = [posted(1, { day: 49, description: 'same' }), posted(2, { day: 49, description: 'same' })];
    const { sync } = await scene.syncOf([...twice, posted(3, { day: 49 })]);
    const { status, added, rejected } = await scene.run(sync);
    assert.deepEqual([status, added, rejected, scene.rows().length], ['succeeded', 2, 1, 2]);
  });

  test('a table that refuses nearly every row fails the run, and says nothing of the rows', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf(rowsOf(200));
    await scene.execute('alter table % add column mine text not null');
    const { status, failure } = await scene.run(sync);
    assert.deepEqual([status, failure], ['failed', 'run_failed']);
    assert.deepEqual(scene.rows(), []);
  });

  for (const [what, sql] of [
    ['dropped', 'drop table % cascade'],
    ['renamed', 'alter table % rename to elsewhere'],
    ['taken from the user', 'revoke all on % from books; alter table % owner to postgres'],
  ] as const) {
    test(`a table that was ${what} is reported as missing, and nothing is made in its place`, async () => {
      await using scene = await Scene.open();
      const { account, sync } = await scene.syncOf(rowsOf(3));
      await scene.run(sync);
      await scene.execute(sql);
      scene.world.bank.accounts.set(account, rowsOf(4));
      const { status, failure } = await scene.run(sync);
      assert.deepEqual([status, failure], ['failed', 'destination_resource_missing']);
      assert.equal(scene.rows().length, what === 'taken from the user' ? 3 : 0);
    });
  }

  test('a password that was changed makes the destination ask for a new secret', async () => {
    await using scene = await Scene.open();
    const { sync } = await scene.syncOf(rowsOf(3));
    scene.control.password = 'another';
    try {
      const { status, failure } = await scene.run(sync);
      assert.deepEqual([status, failure], ['failed', 'destination_auth_failed']);
    } finally {
      scene.control.password = 'sandbox';
    }
  });

  test('the marks of chunks may be dropped: rows that are there are recognised anyway', async () => {
    await using scene = await Scene.open();
    const { account, sync } = await scene.syncOf(rowsOf(3));
    await scene.run(sync);
    await scene.control.execute(`drop table "${scene.schema}".tributary_chunks`);
    scene.world.bank.accounts.set(account, rowsOf(4));
    const { added, status } = await scene.resync(sync);
    assert.deepEqual([status, added, scene.rows().length], ['succeeded', 1, 4]);
  });
});

test('A table whose index has the name of another table’s is made anyway', async () => {
  await using scene = await Scene.open();
  await scene.execute('alter table % rename to archive');
  await scene.execute('create table % (note text); alter table % owner to books');
  const { sync } = await scene.syncOf(rowsOf(2));
  assert.equal((await scene.run(sync)).added, 2);
});

test('A column that computes its own value where a field belongs ends the run with a reason', async () => {
  await using scene = await Scene.open();
  await scene.execute(
    'drop table % cascade; create table % (cents int, amount numeric generated always as (cents / 100.0) stored); alter table % owner to books',
  );
  const { sync } = await scene.syncOf(rowsOf(2));
  const { status, failure } = await scene.run(sync);
  assert.deepEqual([status, failure], ['failed', 'run_failed']);
});

test('An existing table is adopted: its own rows and columns stay, and what it lacks is added', async () => {
  await using scene = await Scene.open();
  await scene.execute(
    "drop table % cascade; create table % (note text, amount numeric(20,2)); insert into % values ('mine', 1); alter table % owner to books",
  );
  const { sync } = await scene.syncOf(rowsOf(2));
  assert.equal((await scene.run(sync)).added, 2);
  assert.equal(scene.rows().length, 2);
  const writer = await writerOf(scene);
  const found: ShownRow[] = [];
  for await (const page of writer.reading?.rows(NO_SIGNAL) ?? []) found.push(...page);
  await writer.close();
  assert.equal(found.length, 2, 'the row of their own is not read back');
});

test('A chunk that is written twice answers as the first time, to the row', async () => {
  await using scene = await Scene.open();
  const { account, sync } = await scene.syncOf([]);
  const writer = await writerOf(scene, { id: sync.row.id });
  const given = (id: string, description: string) =>
    chunkRow(
      id,
      { transaction_id: id, description, amount: '1.50', currency: 'AUD', status: 'posted' },
      { account },
    );
  const chunk = (eventId: string, added: ReturnType<typeof given>[]) => chunkOf(eventId, { added });
  await writer.write(chunk('one', [given('a', 'first'), given('b', 'first')]), NO_SIGNAL);
  const next = chunk('two', [given('a', 'first'), given('b', 'second'), given('c', 'first')]);
  const first = await writer.write(next, NO_SIGNAL);
  assert.deepEqual([...first.existed].toSorted(), [
    ['a', 'same'],
    ['b', 'updated'],
  ]);
  const again = await writer.write({ ...next, again: true }, NO_SIGNAL);
  await writer.close();
  assert.deepEqual(again, first);
});

test('A table read back shows every row as it was sent, whatever its digits and texts', async () => {
  await using scene = await Scene.open();
  const rows = [
    posted(1, { day: 49, description: 'with\0nul and \ud800 half' }),
    posted(2, { day: 49, amount: { amount: -1234, currency: 'jpy' }, amount_decimal: '-1234' }),
    posted(3, { day: 49, amount: { amount: 5, currency: 'kwd' }, amount_decimal: '+0.005' }),
    posted(4, { day: 49, amount: { amount: 150, currency: 'aud' }, amount_decimal: '1.50' }),
    posted(5, { day: 49, description: 'y'.repeat(50_000) }),
    ...Array.from({ length: 1100 }, (_, at) => posted(100 + at, { day: 49 })),
  ];
  const { account, sync } = await scene.syncOf(rows);
  assert.equal((await scene.run(sync)).added, rows.length);
  const writer = await writerOf(scene);
  const reading = writer.reading ?? assert.fail();
  const found = new Map<string, ShownRow>();
  for await (const page of reading.rows(NO_SIGNAL)) {
    assert.ok(page.length <= 1000);
    for (const row of page) found.set(row.keys[0] ?? '', row);
  }
  await writer.close();
  assert.equal(found.size, rows.length);
  const by = {
    id: account,
    name: 'Account',
    institution: 'Bank',
    type: 'transaction',
    maskedNumber: null,
  } as const;
  for (const transaction of rows) {
    const more = { customCategory: null, memo: null, tags: [], replaces: null };
    const text = writer.encode({ kind: 'transaction', account: by, transaction, ...more }, 1);
    const [key = ''] = reading.keysOf(transaction.id, null, account);
    const { account: _sent, ...sent } = reading.shown(text);
    const { account: _shown, ...shown } = found.get(key)?.values ?? {};
    assert.deepEqual(shown, sent);
  }
});

test('A new table has a free name, is found again by its key, and comes with a view of its months', async () => {
  await using scene = await Scene.open();
  const { connector, schema, grant } = scene;
  const wanted = {
    name: 'Bank rows',
    parent: schema,
    target: null,
    type: 'transactions',
    mappingMode: 'bulk',
    accounts: [],
  } as const;
  const create = (key: string, again: boolean) =>
    connector.create?.(accessTo(grant), { ...wanted, key, again }, NO_SIGNAL);
  const second = await create('two', false);
  assert.deepEqual(second?.target, { schema, table: 'bank_rows_2' });
  assert.deepEqual((await create('two', true))?.target, second?.target);
  assert.deepEqual((await create('three', true))?.target, { schema, table: 'bank_rows_3' });
  const { sync } = await scene.syncOf([
    posted(1, { day: 49, cents: 250 }),
    posted(2, { day: 49, cents: -100 }),
    pending(3),
  ]);
  await scene.run(sync);
  await scene.control.execute(
    `do $$ begin assert (select net = 1.50 and money_in = 2.50 and transactions = 2 from "${schema}".bank_rows_monthly); end $$`,
  );
  const list = (type: 'schema' | 'table', parent: string | null) =>
    connector.resources?.list(accessTo(grant), { type, parent, limit: 100 }, NO_SIGNAL);
  assert.ok((await list('schema', null))?.some(({ id }) => id === schema));
  assert.deepEqual(
    (await list('table', schema))?.map(({ id }) => id),
    ['bank_rows', 'bank_rows_2', 'bank_rows_3'],
  );
  await assert.rejects(list('table', 'nowhere') ?? assert.fail(), { situation: 'bad_request' });
});

test('A new table leaves the view of one that was renamed as it is', async () => {
  await using scene = await Scene.open();
  await scene.execute('alter table % rename to archive');
  const grant = await signedIn(scene.connector, scene.simulator.secret);
  const request = {
    key: 'next',
    again: false,
    name: 'Bank rows',
    parent: scene.schema,
    target: null,
  } as const;
  const sync = { type: 'transactions', mappingMode: 'bulk', accounts: [] } as const;
  const made = await scene.connector.create?.(accessTo(grant), { ...request, ...sync }, NO_SIGNAL);
  assert.deepEqual(made?.target, { schema: scene.schema, table: 'bank_rows_2' });
  // Postgres refuses to drop a table that a view reads.
  await assert.rejects(scene.control.execute(`drop table "${scene.schema}".archive`), /depend/);
});

test('Names with quotes and of any alphabet are names and nothing else', async () => {
  await using scene = await Scene.open();
  const schema = `${scene.schema} "; drop schema money; --`;
  await scene.control.execute(`create schema "${schema.replaceAll('"', '""')}" authorization books`);
  const grant = await signedIn(scene.connector, scene.simulator.secret);
  const request = { key: `it's`, again: false, name: 'Ümlaut 日本', parent: schema, target: null } as const;
  const sync = { type: 'trades', mappingMode: 'bulk', accounts: [] } as const;
  const made = await scene.connector.create?.(accessTo(grant), { ...request, ...sync }, NO_SIGNAL);
  assert.deepEqual(made?.target, { schema, table: 'umlaut' });
  await scene.control.execute(`drop schema "${schema.replaceAll('"', '""')}" cascade`);
});
