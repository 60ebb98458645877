import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { withDeadline } from '../../../src/features/outside-calls/deadline.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { asOneTransaction } from '../../../src/storage/unit-of-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
  await sql`create table notes (text text)`.execute(database.db);
});
after(() => database.close());

const write = () => sql`insert into notes values ('x')`.execute(database.db);
const ask = () => withDeadline(systemClock, 60_000, new AbortController().signal, async () => 'answered');
const nothing = async (): Promise<void> => undefined;

test('no one outside is waited for while a unit of work keeps a transaction open', async () => {
  const writesFirst = asOneTransaction(nothing, async () => {
    await write();
    return ask();
  });
  await assert.rejects(writesFirst, { name: 'TypeError', message: /before the transaction begins/ });
  const asksFirst = asOneTransaction(nothing, async () => {
    const answered = await ask();
    await write();
    return answered;
  });
  assert.equal(await asksFirst, 'answered');
  assert.equal(await ask(), 'answered');
});
