import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withStatementDeadline } from '../../src/storage/statement-deadline.ts';
import { openTestDatabase } from '../support/database.ts';

test('a statement with a deadline of its own fails with its own error, and the transaction ends', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const failing = db
    .transaction()
    .execute((trx) => withStatementDeadline(60_000, () => sql`select 1 / 0`.execute(trx)));
  await assert.rejects(failing, { code: '22012' });
  assert.equal((await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one, 1);
});

test('after a rollback each statement has its own deadline again, not that of the transaction', async (t) => {
  const { db, database, close } = await openTestDatabase();
  t.after(close);
  if (database.kind !== 'postgres') return t.skip('the embedded database times statements from outside');
  const timeout = async (): Promise<string | undefined> =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statement_timeout;
  const ordinary = await timeout();
  const trx = await db.startTransaction().execute();
  await withStatementDeadline(60_000, async () => {
    await sql`select 1`.execute(trx);
    await trx.rollback().execute();
    assert.equal(await timeout(), '1min');
  });
  assert.equal(await timeout(), ordinary);
});
