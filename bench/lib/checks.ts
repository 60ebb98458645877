import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { createServerDatabase } from '../../test/support/database.ts';
import { type BenchChild, startChild } from './child.ts';
import { costsOf, type Ratio, type Round } from './ratio.ts';
import { loaded } from './requests.ts';

const METHODS = ['GET', 'POST'] as const;

/** The time of one side per request, in nanoseconds. */
interface Cost {
  /** By the requests a second it answered. */
  readonly time: number;
  /** Of the processor, in its whole process. */
  readonly cpu: number;
}

type Pair = Readonly<Record<keyof Round, Cost>>;

interface Side {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What the checks of v2 add to a request, as a fraction of the cost of a bare route. Each round has new processes: how
 * well a process compiles the same code varies by a fifth between starts.
 */
export async function compareChecks(rounds: number, seconds: number): Promise<Ratio[]> {
  const database = await createServerDatabase();
  const stores = { databaseUrl: database?.url ?? null, redisUrl: process.env.REDIS_URL ?? null };
  const where = stores.redisUrl !== null ? 'Redis' : database !== null ? 'Postgres' : 'the process';
  const found = METHODS.map((method) => ({ method, rounds: [] as Pair[] }));
  try {
    for (let round = 0; round < rounds; round++) {
      await withSides(stores, async (sides) => {
        for (const one of found) one.rounds.push(await pairOf(sides, one.method, seconds, round % 2 === 0));
      });
    }
  } finally {
    await database?.drop();
  }
  return found.flatMap(({ method, rounds: pairs }) => {
    const of = (key: keyof Cost): Round[] =>
      pairs.map(({ ours, reference }) => ({ ours: ours[key], reference: reference[key] }));
    const name = `checks of a ${method}${method === 'POST' ? ' without a key' : ''}, added`;
    const note = `counted in ${where}`;
    return [
      costsOf(`${name} to its time`, 'ns', note, of('time')),
      costsOf(`${name} to its processor time`, 'ns', note, of('cpu')),
    ];
  });
}

async function withSides(
  stores: { readonly databaseUrl: string | null; readonly redisUrl: string | null },
  measure: (sides: Readonly<Record<keyof Round, Side>>) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-checks-'));
  const checked = startChild('checked-server.ts', { checks: true, dataDir, ...stores });
  const bare = startChild('checked-server.ts', { checks: false });
  try {
    const sides = { ours: await sideOf(checked), reference: await sideOf(bare) };
    await requireChecks(sides.ours);
    await measure(sides);
  } finally {
    await checked.kill();
    await bare.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function pairOf(
  { ours, reference }: Readonly<Record<keyof Round, Side>>,
  method: (typeof METHODS)[number],
  seconds: number,
  oursFirst: boolean,
): Promise<Pair> {
  // Each side compiles its code before measuring begins.
  for (const side of [ours, reference]) await costOf(side, method, seconds);
  if (oursFirst) {
    const first = await costOf(ours, method, seconds);
    return { ours: first, reference: await costOf(reference, method, seconds) };
  }
  const first = await costOf(reference, method, seconds);
  return { ours: await costOf(ours, method, seconds), reference: first };
}

async function sideOf(child: BenchChild): Promise<Side> {
  const { url, path, secret } = await child.next();
  const headers = { authorization: `Bearer ${String(secret)}`, 'service-version': CURRENT_RELEASE };
  return { url: String(url), path: String(path), headers };
}

/** A route without its checks would give a misleadingly good result. */
async function requireChecks({ url, path, headers }: Side): Promise<void> {
  const { statusCode, headers: got, body } = await request(url + path, { method: 'POST', headers });
  await body.dump();
  const passed = statusCode === 200 && got['x-ratelimit-remaining'] !== undefined;
  if (!passed || got['idempotency-key'] === undefined || got['service-version'] === undefined)
    throw new Error(`The checked route answered ${statusCode} without the headers of its checks.`);
}

async function costOf(side: Side, method: 'GET' | 'POST', seconds: number): Promise<Cost> {
  const { url, path, headers } = side;
  const before = await usageOf(url);
  const rate = await loaded({ url, path, method, headers, seconds });
  const after = await usageOf(url);
  return {
    time: 1e9 / rate,
    cpu: (1000 * (after.cpu - before.cpu)) / (after.answered - before.answered),
  };
}

/** Processor time in microseconds. */
async function usageOf(url: string): Promise<{ readonly cpu: number; readonly answered: number }> {
  const { body } = await request(`${url}/usage`);
  const text = await body.text();
  const [user, system, answered] = [...text.matchAll(/\d+/g)].map(Number);
  if (user === undefined || system === undefined || answered === undefined)
    throw new Error(`A measured server says of its usage: ${text}`);
  return { cpu: user + system, answered };
}
