import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { Notices } from '../../src/storage/notices.ts';
import { createServerDatabase, type ServerDatabase } from '../support/database.ts';
import { type Line, lineTo } from '../support/database-line.ts';

async function until(done: () => boolean, ms: number): Promise<void> {
  for (let waited = 0; waited < ms && !done(); waited += 20) await pause(20);
  assert.ok(done());
}

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('a word to every process', { skip, timeout: 40_000 }, () => {
  let server: ServerDatabase;
  let near: OpenDatabase;
  let far: OpenDatabase;
  let line: Line;
  let notices: Notices;
  const heard: string[] = [];
  let lost = 0;

  before(async () => {
    const fresh = await createServerDatabase();
    assert.ok(fresh !== null);
    server = fresh;
    near = await openDatabase({ kind: 'postgres', url: server.url });
    line = await lineTo(server.url);
    far = await openDatabase({ kind: 'postgres', url: line.url });
    notices = new Notices(far);
    notices.onNotice(({ id }) => heard.push(id));
    notices.onLost(() => {
      lost += 1;
    });
    await notices.start();
  });
  after(async () => {
    await notices.stop();
    line.close();
    await far.close();
    await near.close();
    await server.drop();
  });

  const say = (id: string) => new Notices(near).publish(near.db, { kind: 'api_key', id });

  test('is heard in another process, once its transaction has committed and not before', async () => {
    await near.db.transaction().execute(async (trx) => {
      await new Notices(near).publish(trx, { kind: 'api_key', id: 'committed' });
      await pause(100);
      assert.deepEqual(heard, []);
    });
    await until(() => heard.includes('committed'), 2_000);
    await near.db
      .transaction()
      .execute(async (trx) => {
        await new Notices(near).publish(trx, { kind: 'api_key', id: 'rolled back' });
        throw new Error('no');
      })
      .catch(() => undefined);
    await say('next');
    await until(() => heard.includes('next'), 2_000);
    assert.deepEqual(heard, ['committed', 'next']);
  });

  test('may have been missed while the line was broken, and that is told', async () => {
    line.cut();
    await until(() => lost === 1, 2_000);
    assert.equal(notices.connected, false);
    await until(() => notices.connected, 5_000);
    await say('after the break');
    await until(() => heard.includes('after the break'), 2_000);
  });

  test('is not waited for on a line that has gone silent: within seconds nothing may be remembered', async () => {
    line.silent = true;
    await say('into the void');
    await until(() => !notices.connected, 8_000);
    assert.equal(lost, 2);
    line.silent = false;
    await until(() => notices.connected, 15_000);
    await say('heard again');
    await until(() => heard.includes('heard again'), 2_000);
    assert.ok(!heard.includes('into the void'));
  });
});
