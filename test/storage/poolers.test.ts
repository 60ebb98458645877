import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { doctorTools } from '../../src/app/command-line.ts';
import { ConfigError } from '../../src/platform/config.ts';
import { findingsOf } from '../../src/surfaces/cli/doctor.ts';
import { eventually } from '../support/patience.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startService } from '../support/service.ts';

const REFUSAL = /DATABASE_URL leads to a connection pooler .*pool_mode = session/;
const server = process.env.DATABASE_URL ?? '';
const skip =
  server === ''
    ? 'needs a Postgres server in DATABASE_URL'
    : !['127.0.0.1', 'localhost'].includes(new URL(server).hostname)
      ? 'needs a Postgres server on this machine'
      : !existsSync('/usr/sbin/pgbouncer') && 'PgBouncer is not installed';

const throughPooler = async (
  t: TestContext,
  mode: 'session' | 'transaction',
  more?: string,
): Promise<string> => (await startPgBouncer(t, mode, more)) ?? assert.fail('PgBouncer did not start');

describe('a pooler in front of Postgres', { skip, timeout: 300_000 }, () => {
  test('that lends connections by the transaction is refused at the start and by doctor, with what to do', async (t) => {
    const url = await throughPooler(t, 'transaction');
    await assert.rejects(startService({ DATABASE_URL: url }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, REFUSAL);
      return true;
    });
    const findings = await findingsOf(doctorTools({ DATABASE_URL: url, DATA_DIR: await scratchDirectory() }));
    const [pooler] = findings.filter(({ check }) => check === 'connection pooler');
    assert.equal(pooler?.outcome, 'fail');
  });

  test('that hands its sessions out in turn is noticed as well', async (t) => {
    const url = await throughPooler(t, 'transaction', 'server_round_robin = 1\nmin_pool_size = 2\n');
    // Two sessions that wait, so that each of two clients gets another than the other.
    const clients = [1, 2].map(() => new pg.Client({ connectionString: url }));
    for (const client of clients) await client.connect();
    await Promise.all(clients.map((client) => client.query('select pg_sleep(0.2)')));
    for (const client of clients) await client.end();
    await assert.rejects(startService({ DATABASE_URL: url }), REFUSAL);
  });

  test('that keeps one for each client is as good as none: what a process changes is noticed by another', async (t) => {
    const url = await throughPooler(t, 'session');
    const env = {
      DATABASE_URL: url,
      ENCRYPTION_KEY: `main:${randomBytes(32).toString('base64')}`,
      SANDBOX: 'off',
    };
    const [near, far] = [await startService(env), await startService(env)];
    t.after(async () => {
      await near.close();
      await far.close();
    });
    const owner = await near.owner();
    const ask = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${owner.key}`, 'service-version': '2026-10-01.wattle' };
      return (await fetch(`${far.url}/v2/me`, { headers })).status;
    };
    assert.equal(await ask(), 200);
    const keys = await owner.v2('GET', '/v2/api_keys');
    const { id } = keys.body.data[0];
    assert.equal((await owner.v2('DELETE', `/v2/api_keys/${id}`)).status, 200);
    await eventually(async () => (await ask()) === 401);
  });
});
