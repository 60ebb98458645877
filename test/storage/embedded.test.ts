import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { EmbeddedPostgres } from '../../src/storage/embedded/embedded-postgres.ts';
import { seedDataDir } from '../support/schema-template.ts';
import { scratchDirectory } from '../support/scratch.ts';

let embedded: EmbeddedPostgres;

before(async () => {
  embedded = await EmbeddedPostgres.open('memory://');
  await embedded.exec('create table things (id int primary key, name text)');
});
after(() => embedded.close());

describe('the embedded database in its thread', () => {
  test('gives back what it was given: moments, bytes, arrays, JSON, nothing', async () => {
    const at = new Date(1_790_000_000_123);
    const bytes = new Uint8Array([0, 1, 255]);
    const { rows } = await embedded.query<Record<string, unknown>>(
      'select $1::timestamptz as at, $2::bytea as bytes, $3::text[] as list, $4::jsonb as json, $5::text as nothing, $6::bigint as count',
      [at, bytes, ['a', 'b'], JSON.stringify({ c: 1 }), null, 5],
    );
    assert.deepEqual(rows, [{ at, bytes, list: ['a', 'b'], json: { c: 1 }, nothing: null, count: 5 }]);
  });

  test('has an acknowledged write on the disk, and keeps to a small memory', async () => {
    const settings = await embedded.query<{ name: string; setting: string }>(
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'shared_buffers') order by name",
    );
    assert.deepEqual(
      settings.rows.map(({ name, setting }) => `${name} ${setting}`),
      ['fsync on', 'shared_buffers 3072', 'synchronous_commit on'],
    );
  });

  test('lets no one into a transaction: what others ask waits for its end', async () => {
    const order: string[] = [];
    const asked: Promise<unknown>[] = [];
    await embedded.transaction(async (trx) => {
      await trx.query("insert into things values (1, 'one')");
      const outside = embedded.query('select * from things');
      asked.push(outside.then(({ rows }) => order.push(`outside saw ${rows.length}`)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push('inside is done');
    });
    await Promise.all(asked);
    assert.deepEqual(order, ['inside is done', 'outside saw 1']);
  });

  test('undoes a transaction whose work fails, and says why it failed', async () => {
    const failing = embedded.transaction(async (trx) => {
      await trx.query("insert into things values (2, 'two')");
      await trx.query("insert into things values (2, 'again')");
    });
    await assert.rejects(failing, { name: 'EmbeddedError', code: '23505', constraint: 'things_pkey' });
    const { rows } = await embedded.query('select * from things where id = 2');
    assert.deepEqual(rows, []);
  });

  test('never says committed of a transaction that a swallowed error had failing', async () => {
    const failing = embedded.transaction(async (trx) => {
      await trx.query("insert into things values (3, 'three')");
      await trx.query('select 1 / 0').catch(() => undefined);
    });
    await assert.rejects(failing);
    const { rows } = await embedded.query('select * from things where id = 3');
    assert.deepEqual(rows, []);
  });

  test('brings notifications until no one listens any more', async () => {
    const heard: string[] = [];
    const unlisten = await embedded.listen('news', (payload) => heard.push(payload));
    await embedded.query("select pg_notify('news', 'first')");
    await embedded.query('select 1');
    await unlisten();
    await embedded.query("select pg_notify('news', 'second')");
    await embedded.query('select 1');
    assert.deepEqual(heard, ['first']);
  });

  test('keeps what was committed over a close, and fails what is asked after one', async () => {
    const directory = await scratchDirectory();
    try {
      await seedDataDir(directory);
      const first = await EmbeddedPostgres.open(join(directory, 'database'));
      await first.exec('create table kept (id int)');
      await first.query('insert into kept values (7)');
      await first.close();
      assert.equal(first.closed, true);
      await assert.rejects(first.query('select 1'), /closed/);
      await first.close();
      const second = await EmbeddedPostgres.open(join(directory, 'database'));
      assert.deepEqual((await second.query('select id from kept')).rows, [{ id: 7 }]);
      await second.close();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  test('a place where no database can be is an error at once, not a wait forever', async () => {
    await assert.rejects(EmbeddedPostgres.open('/proc/no/database/here'));
  });
});
