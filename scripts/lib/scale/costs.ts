import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { hashApiKey, newApiKeySecret } from '../../../src/platform/api-key-secret.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { Stage } from '../../../test/conformance/stage.ts';
import { made } from '../../../test/conformance/things.ts';
import { EventReceiver } from '../../../test/features/event-destinations/support/event-receiver.ts';
import { scratchDirectory } from '../../../test/support/scratch.ts';
import { processorSeconds } from '../processor-time.ts';
import { ServiceChild } from '../service-child.ts';
import { type FilledDatabase, withClient } from './databases.ts';

/** What a number of account records costs. Times are of the processor. */
export interface Costs {
  readonly records: number;
  readonly databaseBytes: number;
  readonly startMs: number;
  /** Milliseconds an hour while nothing is due. */
  readonly idle: { readonly service: number; readonly postgres: number };
  /** Milliseconds for a scrape of the metrics. */
  readonly scrape: number;
  /** Milliseconds for a request, each of another account record, and its memory. */
  readonly request: { readonly service: number; readonly postgres: number };
  readonly memory: { readonly idle: number; readonly asked: number; readonly callers: number };
  /** For a run of a sync that finds nothing new. */
  readonly run: { readonly service: number; readonly postgres: number; readonly commits: number };
}

const IDLE_MS = 30_000;
const SETTLE_MS = 8_000;
const CALLERS = 200;
const RUNS = 5;
const PATHS = ['/v2/me', '/v2/syncs', '/v2/events', '/v2/connections'];

/** Measures a service on a filled database: as a process of its own, then its syncs in this process. */
export async function measureCosts(database: FilledDatabase, key: string): Promise<Costs> {
  const { records, url } = database;
  const databaseBytes = await withClient(url, async (client) => {
    const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
    return Number(rows[0]?.bytes);
  });
  const keys = await keysOf(url, Math.min(CALLERS, records));
  const dataDir = await scratchDirectory();
  const environment = { DATABASE_URL: url, ENCRYPTION_KEY: key };
  const metricsPort = await freePort('127.0.0.1');
  const port = await freePort('127.0.0.1');
  const env = {
    ...environment,
    METRICS_PORT: String(metricsPort),
    ROLES: 'api,worker,scheduler',
    ...UNHURRIED,
  };
  const service = new ServiceChild({ dataDir, port, env });
  try {
    service.launch();
    const startMs = await service.ready();
    await setTimeout(SETTLE_MS);
    const pid = service.pid ?? 0;
    const idle = await spent(url, pid, () => setTimeout(IDLE_MS));
    const memoryIdle = residentBytes(pid);
    const scraped = await spent(url, pid, async () => {
      for (let at = 0; at < 10; at++) await answered(`http://127.0.0.1:${metricsPort}/metrics`, '');
    });
    // Once before, so that code is compiled and statements are planned.
    await askAll(service.url, keys);
    const asked = await spent(url, pid, () => askAll(service.url, keys));
    const memory = { idle: memoryIdle, asked: residentBytes(pid), callers: keys.length };
    await service.stop();
    const requests = keys.length * PATHS.length;
    return {
      records,
      databaseBytes,
      startMs,
      idle: each(idle, IDLE_MS / 3_600_000),
      scrape: (scraped.service + scraped.postgres) / 10,
      request: each(asked, requests),
      memory,
      run: await measureRuns(url, environment),
    };
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const UNHURRIED = { LIMIT_RATE_CHEAP: '1000000', LIMIT_RATE_MID: '1000000', LIMIT_AUTH_ATTEMPTS: '1000000' };

/** Runs of a sync to a webhook, by a service in this process: the simulated bank and the receiver count as well. */
async function measureRuns(url: string, environment: Record<string, string>): Promise<Costs['run']> {
  await using receiver = await EventReceiver.open();
  const stage = await Stage.open({
    ...environment,
    ROLES: 'api,worker,scheduler',
  });
  try {
    const owner = await stage.linked();
    const target = { url: receiver.url };
    const destination = await made(owner, '/v2/destinations', { type: 'webhook', name: 'books', target });
    const sync = await made(owner, '/v2/syncs', {
      type: 'transactions',
      name: 'books',
      destination: destination.id,
      accounts: owner.accounts,
      mapping_mode: 'bulk',
      options: { data_from: '2025-06-01' },
    });
    const ended = async (): Promise<void> => {
      for (let attempt = 0; attempt < 600; attempt++) {
        const { body } = await owner.v2('GET', `/v2/syncs/${sync.id}?include[]=latest_run`);
        if (!['queued', 'running'].includes(body.latest_run?.status ?? 'queued')) return;
        await setTimeout(100);
      }
    };
    await ended();
    const run = async (): Promise<void> => {
      await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
      await ended();
    };
    await run();
    const before = await commitsOf(url);
    const found = await spent(url, process.pid, async () => {
      for (let at = 0; at < RUNS; at++) await run();
    });
    const commits = (await commitsOf(url)) - before;
    return { ...each(found, RUNS), commits: commits / RUNS };
  } finally {
    await stage.close();
  }
}

/** Keys of that many account records, whose secrets are known. */
async function keysOf(url: string, callers: number): Promise<readonly string[]> {
  const secrets = Array.from({ length: callers }, () => newApiKeySecret());
  await withClient(url, (client) =>
    client.query(
      `update api_keys set secret_hash = given.hash, scopes = '{data:read,connections:read,syncs:write,events:read}' from (
        select id, row_number() over (order by id) as place from api_keys where revoked_at is null limit $2
      ) as chosen join unnest($1::bytea[]) with ordinality as given (hash, place) using (place)
      where api_keys.id = chosen.id`,
      [secrets.map((secret) => hashApiKey(secret)), callers],
    ),
  );
  return secrets;
}

async function askAll(url: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) for (const path of PATHS) await answered(url + path, key);
}

async function answered(url: string, key: string): Promise<void> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'service-version': CURRENT_RELEASE },
  });
  const text = await response.arrayBuffer();
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${Buffer.from(text).toString()}`);
}

interface Spent {
  readonly service: number;
  readonly postgres: number;
}

/** Milliseconds of the processor that the service and the backends of the database take for the work. */
async function spent(url: string, pid: number, work: () => Promise<void>): Promise<Spent> {
  const [service, postgres] = [processorSeconds(pid), await backendSeconds(url)];
  await work();
  const after = await backendSeconds(url);
  // A backend that ended meanwhile is missing from the sum, so only those known at both times count.
  const both = [...after].reduce(
    (sum, [backend, seconds]) => sum + seconds - (postgres.get(backend) ?? 0),
    0,
  );
  return { service: (processorSeconds(pid) - service) * 1000, postgres: both * 1000 };
}

async function backendSeconds(url: string): Promise<ReadonlyMap<number, number>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ readonly pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'tributary'",
    );
    return new Map(rows.map(({ pid }) => [pid, processorSeconds(pid)]));
  });
}

async function commitsOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      'select xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.commits);
  });
}

function each(spent: Spent, count: number): Spent {
  return { service: spent.service / count, postgres: spent.postgres / count };
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
