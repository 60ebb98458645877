import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createServerDatabase } from '../../support/database.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { proxyTo, type StoreProxy } from '../../support/store-proxy.ts';
import { assertAway, everyKind, keysNamed, recovery } from './away.ts';

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;
const DEADLINE_MS = 2_000;
/** The deadline, the server's grace and what a busy machine takes. */
const ANSWER_MS = 15_000;

interface Stage {
  readonly proxy: StoreProxy;
  readonly service: TestService;
  readonly owner: TestOwner;
  close(): Promise<void>;
}

async function stage(): Promise<Stage> {
  const server = await createServerDatabase();
  assert.ok(server !== null);
  const proxy = await proxyTo(server.url);
  const service = await startService({
    DATABASE_URL: proxy.url,
    LIMIT_STATEMENT_DEADLINE_MS: String(DEADLINE_MS),
    LIMIT_COUNT_STORE_DEADLINE_MS: '500',
  });
  const owner = await service.owner();
  const close = async (): Promise<void> => {
    await service.close();
    proxy.close();
    await server.drop();
  };
  return { proxy, service, owner, close };
}

describe('a Postgres server that does not answer', { skip, timeout: 600_000 }, () => {
  for (const returns of ['on the connections there were', 'on new connections only'] as const) {
    test(`every call is 503 within the deadline while the connection is silent, and served soon after it is back ${returns} [limit statement_deadline_ms]`, async (t) => {
      const { proxy, service, owner, close } = await stage();
      t.after(close);
      proxy.silent = true;
      assertAway(await everyKind(service, owner), ANSWER_MS);
      // Known to be away, it is not waited for by everyone again.
      await pause(3_500);
      let later: Awaited<ReturnType<typeof everyKind>> = [];
      const quick = () => later.filter(({ ms }) => ms < DEADLINE_MS).length >= 6;
      for (let tried = 0; tried < 4 && !quick(); tried++) {
        later = await everyKind(service, owner);
        assertAway(later, ANSWER_MS);
      }
      assert.ok(quick(), JSON.stringify(later));
      proxy.silent = false;
      if (returns === 'on new connections only') proxy.forget();
      t.diagnostic(`recovered in ${(await recovery(service, owner)).toFixed(1)} s`);
      const headers = { 'idempotency-key': 'away' };
      const again = await owner.v2('POST', '/v2/api_keys', { name: 'late', scopes: ['data:read'] }, headers);
      assert.equal(again.status, 201);
      // With the key once; without it, the statement that was on the way when the connection died may have arrived.
      assert.ok((await keysNamed(owner, 'late')) <= 2);
    });
  }

  test('a commit whose answer is lost is 503, and the repeat with the same key finds what was done', async (t) => {
    const { proxy, service, owner, close } = await stage();
    t.after(close);
    const create = () =>
      owner.v2('POST', '/v2/api_keys', { name: 'once', scopes: ['data:read'] }, { 'idempotency-key': 'one' });
    proxy.silentAfter = { first: 'insert into "idempotency_keys"', behind: 'commit' };
    const lost = await create();
    assert.equal(lost.status, 503);
    assert.equal(lost.body.error.code, 'gateway_unavailable');
    assert.match(String(lost.headers.get('retry-after')), /^[1-9]\d*$/);
    proxy.silentAfter = null;
    proxy.silent = false;
    proxy.forget();
    await recovery(service, owner);
    const repeated = await create();
    assert.equal(repeated.status, 201);
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    assert.equal(await keysNamed(owner, 'once'), 1);
  });

  test('a server that refuses connections, and one that is cut off, are 503 until they are back', async (t) => {
    const { proxy, service, owner, close } = await stage();
    t.after(close);
    await proxy.refuse();
    assertAway(await everyKind(service, owner), ANSWER_MS);
    await proxy.accept();
    t.diagnostic(`recovered in ${(await recovery(service, owner)).toFixed(1)} s`);
  });

  test('a statement that waits too long is ended by the server, and what it waited for is not disturbed', async (t) => {
    const { service, owner, close } = await stage();
    t.after(close);
    const { db } = service.app.database;
    await db.transaction().execute(async (trx) => {
      await sql`select id from account_records where id = ${owner.record.id} for update`.execute(trx);
      const waiting = sql`select id from account_records where id = ${owner.record.id} for update`.execute(
        db,
      );
      await assert.rejects(waiting, { name: 'StoreUnavailableError' });
      assert.equal((await owner.v2('GET', '/v2/api_keys')).status, 200);
    });
  });

  test('what was given up on a dead connection holds no lock for longer than ten seconds', async (t) => {
    const { proxy, service, owner, close } = await stage();
    t.after(close);
    const { db } = service.app.database;
    const lock = sql`select id from account_records where id = ${owner.record.id} for update`;
    const given = db.transaction().execute(async (trx) => {
      await lock.execute(trx);
      proxy.silent = true;
      await lock.execute(trx);
    });
    await assert.rejects(given, { name: 'StoreUnavailableError' });
    proxy.silent = false;
    proxy.abandon();
    await recovery(service, owner);
    const began = performance.now();
    for (;;) {
      const taken = await lock.execute(db).then(
        () => true,
        () => false,
      );
      if (taken) break;
      assert.ok(performance.now() - began < 40_000);
    }
  });

  test('the process stops within its time while the connection is silent', async () => {
    const { proxy, service, owner, close } = await stage();
    proxy.silent = true;
    const calls = everyKind(service, owner).catch(() => []);
    await pause(300);
    const began = performance.now();
    await close();
    assert.ok(performance.now() - began < 20_000, `took ${performance.now() - began} ms`);
    await calls;
  });
});
