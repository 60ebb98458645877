import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { freePort } from '../../../src/platform/free-port.ts';
import { isServed } from '../../../src/surfaces/cli/control/control-client.ts';
import { Receiver } from '../../features/sync-engine/support/receiver.ts';
import { createServerDatabase, type ServerDatabase } from '../../support/database.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { type V2Client, v2Client } from '../../support/v2-client.ts';
import { startTributary, tributary, tributaryInProcess } from './run-tributary.ts';

/** A few of each in the suites; by hand as many as an installation may have. */
const SYNCS = Number(process.env.PROCESS_SYNCS ?? 4);
const ROWS = Number(process.env.PROCESS_ROWS ?? 600);
const DOCS = new URL('../../../docs/self-hosting.md', import.meta.url);
const WAIT_MS = 500_000;

interface Run {
  readonly status: string;
  readonly counts: { readonly added: number };
  readonly failure: { readonly retryable: boolean } | null;
}

interface Process {
  readonly url: string;
  readonly metricsUrl: string;
  readonly env: Readonly<Record<string, string>>;
  child: ChildProcess;
  shown: () => string;
  errors: () => string;
}

/** Two API and two worker processes by the lines of the documentation, in the sandbox, on an empty Postgres. */
describe('Several processes on one Postgres database', {
  skip: process.env.DATABASE_URL === undefined,
}, () => {
  let database: ServerDatabase;
  let dataDir = '';
  /** One for each sync. */
  const receivers: Receiver[] = [];
  let processes: Process[] = [];
  let [account, key] = ['', ''];
  const syncs: string[] = [];
  const client = (at: number): V2Client => v2Client(processes[at]?.url ?? '', key);

  before(async () => {
    database = (await createServerDatabase()) ?? assert.fail('DATABASE_URL is set');
    await emptied(database);
    dataDir = await scratchDirectory();
    const lines = await documentedLines();
    assert.deepEqual(
      lines.map(({ ROLES }) => ROLES),
      ['api', 'api', 'worker,scheduler', 'worker,scheduler'],
    );
    const ports = await Promise.all(lines.map(() => freePort('127.0.0.1')));
    processes = await Promise.all(
      lines.map(async (line, at) => {
        const metricsPort = await freePort('127.0.0.1');
        const env = {
          ...line,
          PORT: String(ports[at]),
          METRICS_PORT: String(metricsPort),
          PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
          DATABASE_URL: database.url,
          DATA_DIR: dataDir,
          OUTBOUND_ALLOW: '127.0.0.0/8',
          // One key makes all syncs and watches their runs.
          LIMIT_RATE_CHEAP: '100000',
          LIMIT_RATE_MUTATING: '10000',
          LIMIT_AUTH_ATTEMPTS: '100000',
        };
        const url = `http://127.0.0.1:${ports[at]}`;
        return { url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, env, ...start(env) };
      }),
    );
    await Promise.all(processes.map(started));
    const first = processes
      .map(({ shown }) => JSON.parse(shown()))
      .find(({ account: made }) => made !== null);
    account = first.account;
    key = (await readFile(first.api_key_file, 'utf8')).trim();
  });
  after(async () => {
    const ends = processes.map(({ child }) => exited(child));
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(ends);
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await database.drop();
  });

  test('syncs deliver through whichever process takes them, and the metrics of all add up to the rows', async () => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url };
    const linked = await tributaryInProcess(
      ['link', '--account', account, '--provider', 'au_banking', '--persona', `rows:${ROWS}`, '--json'],
      env,
    );
    assert.equal(linked.code, 0, linked.stderr);
    const { body: accounts } = await client(0)('GET', '/v2/accounts');
    for (let at = 0; at < SYNCS; at += 1) {
      const receiver = await new Receiver().open();
      receivers.push(receiver);
      const destination = await client(1)('POST', '/v2/destinations', {
        type: 'webhook',
        name: `Receiver ${at}`,
        target: { url: receiver.url },
      });
      assert.equal(destination.status, 200, JSON.stringify(destination.body));
      receiver.secrets = [destination.body.config.signing_secret];
      const sync = await client(at % 2)('POST', '/v2/syncs', {
        type: 'transactions',
        name: `Sync ${at}`,
        destination: destination.body.id,
        accounts: accounts.data.map(({ id }: { id: string }) => id),
        mapping_mode: 'bulk',
      });
      assert.equal(sync.status, 201, JSON.stringify(sync.body));
      syncs.push(sync.body.id);
    }
    const runs = await Promise.all(syncs.map((sync, at) => ended(client(at % 2), sync)));
    assert.deepEqual(
      runs.map(({ status, counts }) => [status, counts.added]),
      syncs.map(() => ['succeeded', ROWS]),
    );
    const counted = await Promise.all(processes.map(rowsCounted));
    assert.equal(
      counted.reduce((sum, rows) => sum + rows, 0),
      SYNCS * ROWS,
      counted.join(' + '),
    );
  });

  test('another data directory is refused, and the processes go on', async () => {
    const other = await scratchDirectory();
    const key = await readFile(join(dataDir, 'encryption.key'), 'utf8');
    const { code, stderr } = await tributary(['sandbox', 'clock', '--forward', '1h'], {
      DATABASE_URL: database.url,
      DATA_DIR: other,
      ENCRYPTION_KEY: key.trim(),
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /DATA_DIR is not the one of the processes that use this database with the sandbox on/,
    );
  });

  test('a worker and the process that serves the simulators are killed: syncs go on, and no row is lost', async () => {
    for (const [at, sync] of syncs.entries()) {
      const { status, body } = await client(at % 2)('POST', `/v2/syncs/${sync}/resync`, { confirm: true });
      assert.equal(status, 200, JSON.stringify(body));
    }
    await Promise.all([kill(processes[2]), kill(processes[0])]);
    await until('the other API process answers commands', () => isServed(dataDir));
    for (const sync of syncs) await succeeded(client(1), sync);
    const moved = await tributaryInProcess(['sandbox', 'clock', '--forward', '1h'], { DATA_DIR: dataDir });
    assert.equal(moved.code, 0, moved.stderr);
    for (const receiver of receivers) {
      assert.equal(receiver.rowsOfAccounts().size, ROWS);
      assert.deepEqual(receiver.faults, []);
    }
  });

  test('both API processes are started again, one after the other, and syncs go on', async () => {
    for (const at of [0, 1]) {
      const known = processes[at] ?? assert.fail();
      const end = exited(known.child);
      known.child.kill('SIGTERM');
      await end;
      Object.assign(known, start(known.env));
      await started(known);
    }
    await until('an API process answers commands', () => isServed(dataDir));
    const [sync = ''] = syncs;
    assert.equal((await client(0)('POST', `/v2/syncs/${sync}/run`)).status, 202);
    assert.equal((await succeeded(client(1), sync)).counts.added, 0);
    assert.ok(existsSync(join(dataDir, 'sandbox', 'simulators.json')));
  });
});

/** As `createdb` leaves a database: all four processes find no table. */
async function emptied({ url }: ServerDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

/** The variables of each `npm start` line of the part on several processes. */
async function documentedLines(): Promise<Record<string, string>[]> {
  const text = await readFile(DOCS, 'utf8');
  const lines = [...text.matchAll(/^((?:[A-Z_]+=\S+ )*ROLES=\S+ (?:[A-Z_]+=\S+ )*)npm start$/gm)];
  return lines.map(([, variables = '']) =>
    Object.fromEntries(
      variables
        .trim()
        .split(' ')
        .map((one) => one.split('=', 2)),
    ),
  );
}

function start(env: Readonly<Record<string, string>>) {
  const { child, stdout, stderr } = startTributary(['serve', '--json'], env);
  return { child, shown: stdout, errors: stderr };
}

function started({ child, shown, errors }: Process): Promise<void> {
  return until('a process starts', async () => {
    if (child.exitCode !== null) assert.fail(errors());
    return shown().endsWith('\n');
  });
}

function kill(process: Process | undefined): Promise<void> {
  const { child } = process ?? assert.fail();
  child.kill('SIGKILL');
  return exited(child);
}

function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

async function rowsCounted({ metricsUrl }: Process): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const found = /^tributary_sync_rows_total\{outcome="added"\} (\d+)$/m.exec(text);
  return Number(found?.[1] ?? 0);
}

async function ended(v2: V2Client, sync: string): Promise<Run> {
  let run: Run | undefined;
  await until(`a run of ${sync} ends`, async () => {
    const { body } = await v2('GET', `/v2/syncs/${sync}/runs?limit=1`);
    [run] = body.data ?? [];
    return run !== undefined && !['queued', 'running'].includes(run.status);
  });
  return run ?? assert.fail();
}

/**
 * The latest run once it has succeeded. For a second no one served the simulated bank: a run that read it then has failed
 * and may be tried again, and the breaker of the worker lets no one ask the bank for some seconds more.
 */
async function succeeded(v2: V2Client, sync: string): Promise<Run> {
  let run = await ended(v2, sync);
  await until(`a run of ${sync} succeeds`, async () => {
    if (run.status === 'succeeded') return true;
    assert.equal(run.failure?.retryable, true, JSON.stringify(run));
    await v2('POST', `/v2/syncs/${sync}/run`);
    run = await ended(v2, sync);
    return run.status === 'succeeded';
  });
  return run;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `${what} within ${WAIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
