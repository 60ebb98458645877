import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Db, Trx } from '../../src/storage/database.ts';
import { asOneTransaction, onceCommitted } from '../../src/storage/unit-of-work.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
let called: string[] = [];

before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await sql`create table notes (text text primary key)`.execute(db);
});
after(() => database.close());
beforeEach(async () => {
  called = [];
  await sql`delete from notes`.execute(db);
});

const nothing = async (): Promise<void> => undefined;
const write = (text: string) => async (trx: Trx) => {
  await sql`insert into notes values (${text})`.execute(trx);
  await onceCommitted(trx, () => void called.push(text));
};

describe('what is to follow a commit', () => {
  test('follows it, and what it wrote can be read by then', async () => {
    let found: Promise<unknown> | null = null;
    await db.transaction().execute(async (trx) => {
      await write('a')(trx);
      await onceCommitted(trx, () => {
        found = sql`select * from notes`.execute(db).then(({ rows }) => rows);
      });
      await write('b')(trx);
      assert.deepEqual(called, []);
    });
    assert.deepEqual(called, ['a', 'b']);
    assert.deepEqual(await found, [{ text: 'a' }, { text: 'b' }]);
  });

  test('does not follow a rollback, nor the next commit on the connection', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await write('a')(trx);
      throw new Error('no');
    });
    await assert.rejects(failing, { message: 'no' });
    await db.transaction().execute(write('b'));
    assert.deepEqual(called, ['b']);
  });

  test('follows the end of a unit of work, without what the unit took back', async () => {
    await asOneTransaction(nothing, async () => {
      await db.transaction().execute(write('a'));
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          await write('b')(trx);
          await write('a')(trx);
        }),
      );
      assert.deepEqual(called, []);
    });
    assert.deepEqual(called, ['a']);
  });

  test('does not follow a unit of work that fails', async () => {
    const failing = asOneTransaction(nothing, async () => {
      await db.transaction().execute(write('a'));
      throw new Error('no');
    });
    await assert.rejects(failing, { message: 'no' });
    assert.deepEqual(called, []);
  });
});
