import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '../../src/storage/database.ts';
import { Notices } from '../../src/storage/notices.ts';
import { asOneTransaction, currentUnit, whenCommitted } from '../../src/storage/unit-of-work.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await sql`create table notes (text text primary key)`.execute(db);
});
after(() => database.close());
beforeEach(() => sql`delete from notes`.execute(db));

const nothing = async (): Promise<void> => undefined;
const write = (text: string, on: Db = db) => sql`insert into notes values (${text})`.execute(on);
async function notes(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from notes order by text`.execute(db);
  return rows.map(({ text }) => text);
}

describe('a unit of work', () => {
  test('commits what transactions and single statements of the work wrote, and the work reads it before', async () => {
    const seen = await asOneTransaction(nothing, async () => {
      await db.transaction().execute((trx) => write('a', trx));
      await write('b');
      return notes();
    });
    assert.deepEqual(seen, ['a', 'b']);
    assert.deepEqual(await notes(), ['a', 'b']);
  });

  test('stores nothing when the work fails, also of transactions that were over', async () => {
    const failing = asOneTransaction(nothing, async () => {
      await db.transaction().execute((trx) => write('a', trx));
      await write('b');
      throw new Error('no');
    });
    await assert.rejects(failing, { message: 'no' });
    assert.deepEqual(await notes(), []);
  });

  test('takes back only the inner transaction whose failure the work survives', async () => {
    await asOneTransaction(nothing, async () => {
      await write('a');
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          await write('b', trx);
          await write('a', trx);
        }),
      );
      await db.transaction().execute((trx) => write('c', trx));
    });
    assert.deepEqual(await notes(), ['a', 'c']);
  });

  test('runs statements and transactions that the work starts at once one after another', async () => {
    await asOneTransaction(nothing, async () => {
      await Promise.all([
        notes(),
        db.transaction().execute((trx) => write('a', trx)),
        notes(),
        db.transaction().execute((trx) => write('b', trx)),
        write('c'),
      ]);
    });
    assert.deepEqual(await notes(), ['a', 'b', 'c']);
  });

  test('holds nothing until the first write, so that others go on while the work waits for something else', async () => {
    let go = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    let read = (): void => undefined;
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    let entered = false;
    const enter = async (): Promise<void> => {
      entered = true;
    };
    const working = asOneTransaction(enter, async () => {
      await db.selectFrom('api_keys').select('id').execute();
      read();
      await waiting;
      await write('of the unit');
    });
    await reading;
    await write('of others');
    assert.equal(entered, false);
    go();
    await working;
    assert.equal(entered, true);
    assert.deepEqual(await notes(), ['of others', 'of the unit']);
  });

  test('writes nothing and raises what refused it at the start, whatever the work makes of it', async () => {
    const refused = new Error('refused');
    const enter = async (): Promise<void> => {
      await write('at the start');
      throw refused;
    };
    const swallowing = asOneTransaction(enter, async () => {
      await write('a').catch(() => undefined);
      await write('b').catch(() => undefined);
    });
    await assert.rejects(swallowing, refused);
    const renaming = asOneTransaction(enter, () =>
      write('a').catch(() => Promise.reject(new Error('something else'))),
    );
    await assert.rejects(renaming, refused);
    assert.deepEqual(await notes(), []);
  });

  test('fails when a statement of it failed unseen, rather than commit a part', async () => {
    const failing = asOneTransaction(nothing, async () => {
      await write('a');
      await write('a').catch(() => undefined);
    });
    await assert.rejects(failing);
    assert.deepEqual(await notes(), []);
    await write('usable');
  });

  test('is over for what comes late: that is on its own', async () => {
    let go = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      go = resolve;
    });
    let late: Promise<unknown> = Promise.resolve();
    const failing = asOneTransaction(nothing, async () => {
      await write('a');
      late = ended.then(() => write('late'));
      throw new Error('no');
    });
    await assert.rejects(failing);
    go();
    await late;
    assert.deepEqual(await notes(), ['late']);
    assert.equal(currentUnit(), null);
  });

  test('calls back after the commit, and not at all after a rollback', async () => {
    const notified: string[] = [];
    await asOneTransaction(nothing, async () => {
      whenCommitted(() => notified.push('nothing was written yet'));
      await write('a');
      whenCommitted(() => notified.push('committed'));
      assert.deepEqual(notified, ['nothing was written yet']);
    });
    assert.deepEqual(notified, ['nothing was written yet', 'committed']);
    await assert.rejects(
      asOneTransaction(nothing, async () => {
        await write('b');
        whenCommitted(() => notified.push('never'));
        throw new Error('no');
      }),
    );
    assert.deepEqual(notified.slice(2), []);
  });

  test('announces a change only when others can see it', async () => {
    const notices = new Notices(database.database);
    const notified: string[] = [];
    notices.onNotice(({ id }) => notified.push(id));
    await asOneTransaction(nothing, async () => {
      await write('a');
      notices.deliver({ kind: 'api_key', id: 'one' });
      assert.deepEqual(notified, []);
    });
    assert.deepEqual(notified, ['one']);
  });

  test('of many at once each is its own', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        asOneTransaction(nothing, async () => {
          await notes();
          await db.transaction().execute((trx) => write(`note ${String(index).padStart(2, '0')}`, trx));
          await notes();
          if (index % 3 === 0) throw new Error('no');
        }),
      ),
    );
    const kept = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    assert.equal(kept.length, 20);
    assert.deepEqual(
      await notes(),
      kept.map((index) => `note ${String(index).padStart(2, '0')}`),
    );
  });
});
