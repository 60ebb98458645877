import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../src/storage/database.ts';
import { createServerDatabase } from '../support/database.ts';
import { eventually } from '../support/patience.ts';
import { startService } from '../support/service.ts';
import { proxyTo } from '../support/store-proxy.ts';

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('a connection that the server ends', { skip }, () => {
  test('fails the work on it, not the process, and the next work gets another', async (t) => {
    const server = await createServerDatabase();
    assert.ok(server !== null);
    const { db, close } = await openDatabase({ kind: 'postgres', url: server.url });
    t.after(async () => {
      await close();
      await server.drop();
    });
    const endOthers = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // In the middle of a statement, and inside a transaction that is between two.
    const sleeping = sql`select pg_sleep(20)`.execute(db);
    const between = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      begun.resolve();
      await ended.promise;
      await sql`select 1`.execute(trx);
    });
    const ends = Promise.allSettled([sleeping, between]);
    await begun.promise;
    await eventually(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%pg_sleep(20)%'
          and pid <> pg_backend_pid()`.execute(db);
      return rows.length > 0;
    });
    await endOthers();
    // By then the client knows that the connection between two statements is gone.
    await Promise.allSettled([sleeping]);
    await pause(300);
    ended.resolve();
    assert.deepEqual(
      (await ends).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal((await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one, 1);
  });
});

describe('a database that is out of reach', { skip, timeout: 600_000 }, () => {
  test('makes the service unready soon, also where the connection is merely silent, and the database is used again once back', async (t) => {
    const server = await createServerDatabase();
    assert.ok(server !== null);
    const proxy = await proxyTo(server.url);
    const service = await startService({ DATABASE_URL: proxy.url });
    t.after(async () => {
      proxy.silent = false;
      proxy.cut();
      await service.close();
      proxy.close();
      await server.drop();
    });
    const ready = async () => (await fetch(`${service.url}/readyz`)).status;
    assert.equal(await ready(), 200);
    proxy.silent = true;
    const asked = performance.now();
    // The answer of a second ago may be given again.
    await eventually(async () => (await ready()) === 503);
    assert.ok(performance.now() - asked < 15_000);
    proxy.silent = false;
    proxy.cut();
    await eventually(async () => (await ready()) === 200);
    const owner = await service.owner();
    assert.equal((await owner.v2('GET', '/v2/api_keys')).status, 200);
  });
});
