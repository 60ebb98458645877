import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { Tributary } from '#client';
import { banksByName, linkCustomer, runEnded } from '../../src/app/demo/demo-steps.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { askServer } from '../../src/surfaces/cli/control/control-client.ts';

const MAIN = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));
const LIMIT_BYTES = 512 * 2 ** 20;
const READY_MS = 120_000;
const GROUPS = '/sys/fs/cgroup/memory';

/** A control group (version 1) whose processes may use that much memory; null if none can be made. */
function controlGroup(): { readonly path: string; readonly remove: () => void } | null {
  const path = join(GROUPS, `tributary-test-${process.pid}`);
  try {
    mkdirSync(path);
    writeFileSync(join(path, 'memory.limit_in_bytes'), String(LIMIT_BYTES));
    return { path, remove: () => rmdirSync(path) };
  } catch {
    return null;
  }
}

const group = controlGroup();

test('A control group of 512 MB is enough for a first start, a link, a sync and a restart', {
  skip: group === null ? 'no control group can be made here' : false,
  timeout: 300_000,
}, async (t) => {
  assert.ok(group !== null);
  t.after(() => group.remove());
  // Not in memory, where it would count.
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-group-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const port = await freePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const start = async (): Promise<ChildProcess> => {
    const inGroup = `echo $$ > ${join(group.path, 'cgroup.procs')}; exec "$@"`;
    const child = spawn(
      '/bin/sh',
      ['-c', inGroup, 'sh', process.execPath, '--max-semi-space-size=8', MAIN, 'serve', '--json'],
      {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: dataDir,
          PORT: String(port),
          METRICS_PORT: '0',
          LOG_LEVEL: 'error',
          OUTBOUND_ALLOW: '127.0.0.0/8',
        },
        stdio: 'ignore',
      },
    );
    t.after(() => child.kill('SIGKILL'));
    for (const end = performance.now() + READY_MS; performance.now() < end; ) {
      assert.equal(child.exitCode ?? child.signalCode, null, 'it was ended');
      const status = await request(`${url}/readyz`)
        .then(async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        })
        .catch(() => 0);
      if (status === 200) return child;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return assert.fail('it was not ready in time');
  };

  const first = await start();
  const command = async (name: string, args: object): Promise<Record<string, unknown>> => {
    const answer = await askServer(dataDir, { command: name, args });
    assert.ok(typeof answer?.result === 'object' && answer.result !== null, name);
    return Object.fromEntries(Object.entries(answer.result));
  };
  const { id } = await command('account create', { email: 'small@example.com' });
  const { secret } = await command('key create', { account: id, name: 'k', scopes: 'all' });
  const client = new Tributary({ url, apiKey: String(secret) });
  const signal = AbortSignal.timeout(120_000);
  const customer = {
    provider: 'au_banking',
    bank: 'Banking Sandbox Data Holder',
    customer: 'rows:5000',
  } as const;
  const banks = await banksByName(client, 'au_banking');
  const accounts = await linkCustomer(client, customer, banks, 'http://127.0.0.1:9/', signal);
  const destination = await client.destinations.create({ type: 'csv_folder' });
  await client.destinations.createTarget({ id: destination.id, name: 'Small', type: 'transactions' });
  const sync = await client.syncs.create({
    type: 'transactions',
    name: 'Small',
    destination: destination.id,
    accounts,
    mapping_mode: 'bulk',
    options: { data_from: '2020-01-01' },
  });
  const { data } = await client.syncs.listRuns({ id: sync.id }).page();
  const { status, counts } = await runEnded(client, data[0]?.id ?? '', signal);
  assert.equal(status, 'succeeded');
  assert.equal(counts.added, 5000);
  first.kill('SIGTERM');
  await once(first, 'exit');

  const again = await start();
  assert.equal((await client.syncs.get({ id: sync.id })).id, sync.id);
  again.kill('SIGTERM');
  await once(again, 'exit');
  const most = Number(readFileSync(join(group.path, 'memory.max_usage_in_bytes'), 'utf8'));
  t.diagnostic(`at most ${Math.round(most / 2 ** 20)} MiB, the cache of files included`);
});
