import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { AccountRecords } from '../../src/features/access/account-records.ts';
import { ApiKeyAuthenticator } from '../../src/features/access/api-key-authenticator.ts';
import { ApiKeys } from '../../src/features/access/api-keys.ts';
import { Authentication } from '../../src/features/access/authentication.ts';
import { AuthAttempts } from '../../src/features/rate-limits/auth-attempts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { WindowCounter } from '../../src/platform/window-counter.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { Notices } from '../../src/storage/notices.ts';
import { DEFAULT_LIMITS } from '../../src/vocabulary/limits.ts';
import { createServerDatabase, type ServerDatabase } from '../support/database.ts';
import { noEvents } from '../support/no-events.ts';
import { proxyTo, type StoreProxy } from '../support/store-proxy.ts';

async function until(done: () => boolean, ms: number): Promise<void> {
  for (let waited = 0; waited < ms && !done(); waited += 20) await pause(20);
  assert.ok(done());
}

/** How many connections wait for a lock. */
async function waiting({ db }: OpenDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
  return Number(rows[0]?.count);
}

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('a word to every process', { skip, timeout: 600_000 }, () => {
  let server: ServerDatabase;
  let near: OpenDatabase;
  let far: OpenDatabase;
  let proxy: StoreProxy;
  let notices: Notices;
  const heard: string[] = [];
  let lost = 0;
  /** At the last of these; there is one more at the begin of the next connection. */
  let connectedWhenLost: boolean | null = null;

  before(async () => {
    const fresh = await createServerDatabase();
    assert.ok(fresh !== null);
    server = fresh;
    near = await openDatabase({ kind: 'postgres', url: server.url });
    proxy = await proxyTo(server.url);
    far = await openDatabase({ kind: 'postgres', url: proxy.url });
    notices = new Notices(far);
    notices.onNotice(({ id }) => heard.push(id));
    notices.onLost(() => {
      connectedWhenLost = notices.connected;
      lost += 1;
    });
    await notices.start();
  });
  after(async () => {
    await notices.stop();
    proxy.close();
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
    await until(() => heard.includes('committed'), 30_000);
    await near.db
      .transaction()
      .execute(async (trx) => {
        await new Notices(near).publish(trx, { kind: 'api_key', id: 'rolled back' });
        throw new Error('no');
      })
      .catch(() => undefined);
    await say('next');
    await until(() => heard.includes('next'), 30_000);
    assert.deepEqual(heard, ['committed', 'next']);
  });

  test('that is a hint is heard here at once, elsewhere soon, and those of one moment together', async () => {
    const here: string[] = [];
    const hinting = new Notices(near);
    hinting.onNotice(({ id }) => here.push(id));
    const hints = Array.from({ length: 50 }, (_, at) => `hint ${at}`);
    for (const id of hints) hinting.hint({ kind: 'event_recorded', id });
    assert.deepEqual(here, hints);
    await until(() => heard.includes('hint 49'), 30_000);
    const arrived = heard.filter((id) => id.startsWith('hint '));
    assert.ok(arrived.length <= 2, `${arrived.length} notices`);
    await hinting.stop();
  });

  test('may have been missed while the connection was broken, and that is reported', async () => {
    const before = lost;
    proxy.cut();
    await until(() => lost > before, 30_000);
    assert.equal(connectedWhenLost, false);
    await until(() => notices.connected && lost > before + 1, 30_000);
    assert.equal(lost, before + 2, 'what was read meanwhile may be out of date');
    await say('after the break');
    await until(() => heard.includes('after the break'), 30_000);
  });

  test('is not waited for on a half-open connection: within seconds nothing may be cached', async () => {
    const before = lost;
    proxy.silent = true;
    await say('into the void');
    await until(() => !notices.connected, 30_000);
    assert.equal(lost, before + 1);
    proxy.silent = false;
    await until(() => notices.connected, 60_000);
    await say('heard again');
    await until(() => heard.includes('heard again'), 30_000);
    assert.ok(!heard.includes('into the void'));
  });

  test('that ends a key is not missed by who was looking the key up while there was no connection', async () => {
    const clock = systemClock;
    const record = await new AccountRecords({ db: near.db, clock, notices }).create({
      email: 'a@example.test',
    });
    const keys = new ApiKeys({
      db: near.db,
      clock,
      notices: new Notices(near),
      limits: DEFAULT_LIMITS,
      events: noEvents,
    });
    const { key, secret } = await keys.create(record.id, { name: 'k', scopes: ['data:read'] }, null);
    const late = new Notices(far);
    const counter = () => new WindowCounter(clock, 60_000, 10);
    const attempts = new AuthAttempts({
      limits: DEFAULT_LIMITS,
      clock,
      all: { keys: counter(), sessions: counter() },
      failed: counter(),
      blind: (bucket) => bucket,
    });
    const authentication = new Authentication({
      authenticators: [new ApiKeyAuthenticator({ db: far.db, clock, notices: late })],
      attempts,
    });
    const ask = async () => authentication.authenticate({ authorization: `Bearer ${secret}` }, '127.0.0.1');
    try {
      let asked: Promise<unknown> = Promise.resolve();
      await near.db.transaction().execute(async (trx) => {
        await sql`lock table account_records in access exclusive mode`.execute(trx);
        asked = ask();
        while ((await waiting(near)) === 0) await pause(20);
        await keys.revoke(record.id, key.id);
        await late.start();
      });
      await asked;
      await assert.rejects(ask(), { code: 'api_key_invalid' });
    } finally {
      await late.stop();
    }
  });
});
