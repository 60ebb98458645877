import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { PREPARED_START_PARAMS, PreparedPostgres } from '../../src/storage/embedded/prepared-postgres.ts';
import { compiledPostgres } from '../support/schema-template.ts';

/** More often than it takes for a statement to be prepared. */
const OFTEN = 4;

let plain: PGlite;
let embedded: PreparedPostgres;

before(async () => {
  plain = await PGlite.create('memory://', {
    parsers: { 20: Number },
    pgliteWasmModule: await compiledPostgres(),
    startParams: [...PGlite.defaultStartParams, ...PREPARED_START_PARAMS],
  });
  embedded = new PreparedPostgres(plain);
  await embedded.exec('create table things (id int primary key, name text)');
});
after(() => embedded.close());

const prepared = async (): Promise<number> =>
  (await plain.query<{ count: number }>('select count(*) from pg_prepared_statements')).rows[0]?.count ?? 0;

describe('statements that come again', () => {
  test('answer as on the first time, whatever the values', async () => {
    const sql =
      'select $1::timestamptz as at, $2::bytea as bytes, $3::text[] as list, $4::jsonb as json, $5::text as words, $6::bigint as count, $7::boolean as flag';
    const values = fc.tuple(
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      fc.uint8Array(),
      fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
      fc.json({ noUnicodeString: true }).filter((text) => !text.includes('\\u0000')),
      fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
      fc.maxSafeInteger(),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(values, async (params) => {
        const { rows, fields, affectedRows } = await plain.query(sql, params);
        assert.deepEqual(await embedded.query(sql, params), {
          rows,
          fields,
          affectedRows,
          command: 'SELECT',
          rowCount: 1,
        });
      }),
    );
  });

  test('count the rows that they change', async () => {
    for (let id = 1; id <= OFTEN; id++) {
      const { affectedRows } = await embedded.query('insert into things values ($1, $2), ($3, $4)', [
        2 * id,
        'one',
        2 * id + 1,
        'two',
      ]);
      assert.equal(affectedRows, 2);
    }
    for (const left of [2, 0, 0]) {
      const { affectedRows } = await embedded.query('delete from things where id in ($1, $2)', [2, 3]);
      assert.equal(affectedRows, left);
    }
  });

  test('find a partial index whose condition is a parameter, however often they come', async () => {
    await embedded.exec('create table marked (id int, mark boolean)');
    await embedded.exec('create unique index marked_once on marked (id) where mark');
    const sql = 'insert into marked values ($1, true) on conflict (id) where mark = $2 do nothing';
    for (let time = 0; time < 20; time++)
      assert.equal((await embedded.query(sql, [1, true])).affectedRows, time === 0 ? 1 : 0);
  });

  test('show the columns that a table has gained meanwhile', async () => {
    await embedded.query('create table growing (id int)');
    await embedded.query('insert into growing values (1)');
    const ask = () => embedded.query('select * from growing');
    for (let time = 0; time < OFTEN; time++) assert.deepEqual((await ask()).rows, [{ id: 1 }]);
    await embedded.query('alter table growing add column name text');
    for (let time = 0; time < OFTEN; time++) assert.deepEqual((await ask()).rows, [{ id: 1, name: null }]);
    await embedded.exec('alter table growing drop column id');
    for (let time = 0; time < OFTEN; time++) assert.deepEqual((await ask()).rows, [{ name: null }]);
  });

  test('fail as on the first time, and work afterwards', async () => {
    const insert = (id: number) => embedded.query('insert into things (id) values ($1)', [id]);
    for (let id = 100; id < 100 + OFTEN; id++) await insert(id);
    for (let time = 0; time < OFTEN; time++)
      await assert.rejects(insert(100), { code: '23505', constraint: 'things_pkey' });
    assert.equal((await insert(200)).affectedRows, 1);
    for (let time = 0; time < OFTEN; time++)
      await assert.rejects(embedded.query('select * from nowhere'), { code: '42P01' });
  });

  test('are undone with their transaction, and a failure in one is never committed', async () => {
    const sql = 'insert into things (id) values ($1) returning id';
    for (let id = 300; id < 300 + OFTEN; id++) await embedded.query(sql, [id]);
    const failing = embedded.transaction(async (trx) => {
      assert.deepEqual((await trx.query(sql, [400])).rows, [{ id: 400 }]);
      await trx.query(sql, [300]);
    });
    await assert.rejects(failing, { code: '23505' });
    const swallowing = embedded.transaction(async (trx) => {
      await trx.query(sql, [401]);
      await trx.query(sql, [300]).catch(() => undefined);
    });
    await assert.rejects(swallowing);
    const { rows } = await embedded.query('select id from things where id >= 400');
    assert.deepEqual(rows, []);
  });

  test('never run inside the transaction of another caller', async () => {
    const count = () => embedded.query<{ count: number }>('select count(*) from things where id >= 500');
    for (let time = 0; time < OFTEN; time++) await count();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    const transaction = embedded.transaction(async (trx) => {
      await trx.query('insert into things (id) values (500)');
      open();
      await over;
      throw new Error('undone');
    });
    await opened;
    const outside = count();
    finish();
    await assert.rejects(transaction, { message: 'undone' });
    assert.deepEqual((await outside).rows, [{ count: 0 }]);
  });

  test('are kept up to a bound, and one that was dropped is prepared again', async () => {
    for (let at = 0; at < 300; at++)
      for (let time = 0; time < 2; time++) await embedded.query(`select ${at} as at`);
    assert.equal(await prepared(), 200);
    assert.deepEqual((await embedded.query('select 0 as at')).rows, [{ at: 0 }]);
    assert.equal(await prepared(), 200);
  });

  test('of which the text came once, or is a long list, are not kept', async () => {
    await embedded.exec('select 1');
    const before = await prepared();
    await embedded.query('select 12345 as once');
    const long = `select 1 as long where 1 in (${Array.from({ length: 2_000 }, (_, at) => at).join()})`;
    for (let time = 0; time < OFTEN; time++)
      assert.deepEqual((await embedded.query(long)).rows, [{ long: 1 }]);
    assert.deepEqual([before, await prepared()], [0, 0]);
  });
});
