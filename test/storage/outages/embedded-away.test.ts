import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgres } from '../../../src/storage/embedded/embedded-postgres.ts';
import { withStatementDeadline } from '../../../src/storage/statement-deadline.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const DEADLINE_MS = 1_500;
const AWAY = { name: 'StoreUnavailableError' };
/** The thread computes and reads no message. */
const HUNG = 'do $$ begin loop end loop; end $$';

let directory: string;
let embedded: EmbeddedPostgres;
let reopened = 0;

before(async () => {
  directory = await scratchDirectory();
  await seedDataDir(directory);
  embedded = await EmbeddedPostgres.open(join(directory, 'database'), { statementMs: DEADLINE_MS });
  embedded.onReopened(() => {
    reopened += 1;
  });
  await embedded.exec('create table things (id int primary key)');
});
after(async () => {
  await embedded.close();
  await rm(directory, { recursive: true, force: true });
});

/** What is asked until it is answered, for a minute at most. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(100);
    }
  }
}

describe('an embedded database whose thread does not answer', { timeout: 600_000 }, () => {
  test('is opened again with what was committed, and fails what was under way', async () => {
    await embedded.query('insert into things values (1)');
    const before = reopened;
    await assert.rejects(embedded.query(HUNG), AWAY);
    const { rows } = await answered(() => embedded.query('select id from things'));
    assert.deepEqual(rows, [{ id: 1 }]);
    assert.equal(reopened, before + 1);
  });

  test('loses an open transaction as a whole, and says so', async () => {
    let second: unknown = null;
    const lost = embedded.transaction(async (trx) => {
      await trx.query('insert into things values (2)');
      await trx.query(HUNG).catch(() => undefined);
      second = await trx.query('insert into things values (3)').catch((error: unknown) => error);
    });
    await assert.rejects(lost, AWAY);
    assert.ok(second instanceof Error && second.name === AWAY.name);
    const { rows } = await answered(() => embedded.query('select id from things where id in (2, 3)'));
    assert.deepEqual(rows, []);
  });

  test('goes on telling those who listen', async () => {
    const heard: string[] = [];
    await embedded.listen('news', (payload) => heard.push(payload));
    await assert.rejects(embedded.query(HUNG), AWAY);
    await answered(() => embedded.query("select pg_notify('news', 'after')"));
    await embedded.query('select 1');
    assert.deepEqual(heard, ['after']);
  });

  test('is opened once, however many are waiting', async () => {
    const before = reopened;
    const waiting = Array.from({ length: 20 }, () => embedded.query('select 1'));
    const results = await Promise.allSettled([embedded.query(HUNG), ...waiting]);
    assert.ok(results.some(({ status }) => status === 'rejected'));
    await answered(() => embedded.query('select 1'));
    assert.equal(reopened, before + 1);
  });

  test('leaves alone a statement that was given more time, and those behind it', async () => {
    const before = reopened;
    const long = withStatementDeadline(20_000, () => embedded.query('select pg_sleep(2.5)'));
    await assert.rejects(embedded.query('select 1'), AWAY);
    await long;
    await embedded.query('select 1');
    assert.equal(reopened, before);
  });

  test('closes at once when asked to hurry', async () => {
    const place = await scratchDirectory();
    await seedDataDir(place);
    const other = await EmbeddedPostgres.open(join(place, 'database'), { statementMs: 60_000 });
    const hung = other.query(HUNG);
    hung.catch(() => undefined);
    const began = performance.now();
    other.hurry(200);
    await other.close();
    assert.ok(performance.now() - began < 20_000);
    await rm(place, { recursive: true, force: true });
    await assert.rejects(hung, AWAY);
  });
});
