import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { TRANSACTION_COLUMNS } from '../../../src/connectors/destinations/airtable/columns.ts';
import { changedColumn } from '../../../src/connectors/destinations/airtable/table-columns.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './airtable/scene.ts';

after(closeDatabase);

const DESCRIPTION = 'Cafe, the  one, ltd';
const recent = (number: number) => posted(number, { day: 49, cents: -number, description: DESCRIPTION });

/** A process that knows the columns of a table with one row; `next` is its next run, with one more row. */
async function standing() {
  const scene = await Scene.open();
  const { account, sync } = await scene.syncOf([recent(1)]);
  assert.equal((await scene.run(sync)).added, 1);
  let last = 1;
  const next = () => {
    last += 1;
    const rows = Array.from({ length: last }, (_, at) => recent(at + 1));
    scene.world.bank.accounts.set(account, rows);
    return scene.run(sync);
  };
  const calls = () => scene.calls().filter((call) => call !== 'POST token');
  return { scene, next, calls };
}

describe('A column whose type a person changes while its type is remembered', () => {
  test('is written in its new type from the first run on, with one look at the columns', async () => {
    const { scene, next, calls } = await standing();
    await using _ = scene;
    scene.control.retypeField(scene.column('Amount'), 'singleLineText');
    const { status, added, rejected } = await next();
    assert.deepEqual([status, added, rejected], ['succeeded', 1, 0]);
    assert.deepEqual(calls(), ['PATCH records', 'GET schema', 'PATCH records']);
    assert.equal(scene.shown(recent(2).id).Amount, '-0.02');
    assert.equal((await next()).added, 1);
    assert.deepEqual(calls(), ['PATCH records']);
  });

  for (const [name, type, options] of [
    ['Description', 'multipleSelects', { choices: [] }],
    ['Transaction ID', 'multipleSelects', { choices: [] }],
    ['Amount', 'checkbox', undefined],
  ] as const) {
    test(`ends the run where ${name} becomes one of ${type}, until it is changed back`, async () => {
      const { scene, next } = await standing();
      await using _ = scene;
      const column = scene.column(name);
      scene.control.retypeField(column, type, options);
      for (const _run of [1, 2]) {
        const { status, failure, added, rejected } = await next();
        assert.deepEqual([status, failure, added, rejected], ['failed', 'run_failed', 0, 0]);
        assert.ok(scene.calls().includes('GET schema'), 'the run fails by what the columns are now');
      }
      if (name === 'Amount') scene.control.retypeField(column, 'number', { precision: 2 });
      else scene.control.retypeField(column, 'multilineText');
      const { status, rejected } = await next();
      assert.deepEqual([status, rejected], ['succeeded', 0]);
      assert.equal(scene.shown(recent(4).id).Description, DESCRIPTION);
    });
  }
});

describe('A cell that Airtable answers with', () => {
  const columns = TRANSACTION_COLUMNS.map((spec) => ({ spec, id: spec.key, type: 'singleLineText' }));
  const changed = (key: string, shown: unknown, sent: string | number | null) =>
    changedColumn(columns, { [key]: shown }, { [key]: sent })?.spec.key ?? null;

  test('is another one where it shows something else than was sent', () => {
    assert.equal(changed('amount', '-1.04', -1.04), 'amount');
    assert.equal(changed('amount', -1.05, -1.04), 'amount');
    assert.equal(changed('amount', undefined, '1.00'), 'amount');
    assert.equal(changed('description', ['Cafe'], 'Cafe'), 'description');
    assert.equal(changed('description', 'cafe', 'Cafe'), 'description');
    assert.equal(changed('date', '2026-01-03', '2026-01-02'), 'date');
    assert.equal(changed('memo', 'somebody’s', null), 'memo');
  });

  test('is the same where it is, and where a text differs only in what no one sees', () => {
    assert.equal(changed('amount', -1.04, -1.04), null);
    assert.equal(changed('memo', undefined, null), null);
    assert.equal(changed('memo', undefined, ''), null);
    assert.equal(changed('description', 'Cafe one', ' Cafe\r\none\u0000 '), null);
  });
});
