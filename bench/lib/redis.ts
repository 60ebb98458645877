import pg from 'pg';
import { request } from 'undici';
import { Tributary } from '#client';
import { median } from '../../scripts/lib/numbers.ts';
import { processorSeconds } from '../../scripts/lib/processor-time.ts';
import type { ServiceChild } from '../../scripts/lib/service-child.ts';
import { banksByName, linkCustomer } from '../../src/app/demo/demo-steps.ts';
import { openRedis, type RedisClient } from '../../src/platform/redis-client.ts';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { type PreparedService, prepareService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';
import { load } from './requests.ts';

/** Account records, each with a key and an account at the bank: real counts are spread over many rows as well. */
const OWNERS = 8;
const ROWS = 1000;
const PROCESSES = 2;
/** Requests one after the other, of which the median counts. */
const ALONE = 200;
const YEAR_MS = 365 * 86_400_000;

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Per request, unless stated otherwise. */
interface Cost {
  /** Requests a second of all processes together. */
  readonly rate: number;
  /** Milliseconds from a request to its answer, without other load. */
  readonly wait: number;
  /** Milliseconds of the processor: in the API processes, in Postgres, and in these and Redis. */
  readonly api: number;
  readonly postgres: number;
  readonly all: number;
}

interface Stores {
  readonly postgres: pg.Client;
  readonly redis: RedisClient;
}

type Sides = Readonly<Record<keyof Round, readonly ServiceChild[]>>;

/**
 * The effect of Redis when two API processes share a Postgres server: the same requests with `REDIS_URL` and without,
 * on the same database. Empty unless `DATABASE_URL` and `REDIS_URL` are set.
 */
export async function compareRedis(rounds: number, seconds: number): Promise<Ratio[]> {
  const redisUrl = process.env.REDIS_URL;
  if (redisUrl === undefined || !process.env.DATABASE_URL) return [];
  const prepared = await prepareService(ROWS, []);
  const { source } = prepared;
  if (source.kind !== 'postgres') throw new Error('The service does not use DATABASE_URL.');
  const postgres = new pg.Client({ connectionString: source.url });
  await postgres.connect();
  const redis = await openRedis(redisUrl, () => undefined);
  const sides: Record<keyof Round, ServiceChild[]> = { ours: [], reference: [] };
  try {
    const owners = await ownersOf(prepared);
    await prepared.service.stop();
    for (let at = 0; at < PROCESSES; at++) {
      sides.ours.push(await prepared.beside({ ROLES: 'api', REDIS_URL: redisUrl }));
      sides.reference.push(await prepared.beside({ ROLES: 'api' }));
    }
    const found: Ratio[] = [];
    for (const [name, pathOf] of [
      ['GET /v2/me', () => '/v2/me'],
      ['GET /v2/transactions, 100 rows, cached', rowsOfYear],
    ] as const) {
      const asked = owners.map(({ account, headers }) => ({ path: pathOf(account), headers }));
      found.push(...(await compareCosts(name, sides, { postgres, redis }, { asked, rounds, seconds })));
    }
    return found;
  } finally {
    for (const service of [...sides.ours, ...sides.reference]) await service.stop();
    redis.destroy();
    await postgres.end();
    await prepared.close();
  }
}

interface Owner {
  readonly account: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Account records, each with a key and an account at the bank with as many rows as that of `prepared`. */
export async function ownersOf(
  { service, secret, account }: PreparedService,
  count = OWNERS,
  rows = ROWS,
): Promise<readonly Owner[]> {
  const owners = [{ account, secret, headers: headersOf(secret) }];
  for (let at = owners.length; at < count; at++) {
    const { id } = await service.command('account create', { email: `owner-${at}@example.com` });
    const key = await service.command('key create', { account: id, name: 'Script', scopes: 'all' });
    const v2 = new Tributary({ url: service.url, apiKey: String(key.secret) });
    const customer = {
      provider: 'au_banking',
      bank: 'Banking Sandbox Data Holder',
      customer: `rows:${rows}`,
    } as const;
    const banks = await banksByName(v2, 'au_banking');
    const signal = AbortSignal.timeout(60_000);
    const [linked] = await linkCustomer(v2, customer, banks, 'http://127.0.0.1:1/linked', signal);
    if (linked === undefined) throw new Error('The linked customer has no account.');
    const own = String(key.secret);
    owners.push({ account: linked, secret: own, headers: headersOf(own) });
  }
  return owners;
}

const headersOf = (secret: string): Owner['headers'] => ({
  authorization: `Bearer ${secret}`,
  'service-version': CURRENT_RELEASE,
});

/** The newest rows of an account, of a year. */
export function rowsOfYear(account: string): string {
  const from = new Date(Date.now() - YEAR_MS).toISOString().slice(0, 10);
  return `/v2/transactions?account=${account}&from=${from}&limit=100`;
}

async function compareCosts(
  name: string,
  sides: Sides,
  stores: Stores,
  given: { readonly asked: readonly Asked[]; readonly rounds: number; readonly seconds: number },
): Promise<Ratio[]> {
  const costOf = (side: keyof Round): Promise<Cost> =>
    costsOn(sides[side], stores, given.asked, given.seconds);
  for (const side of ['ours', 'reference'] as const) await costOf(side);
  const pairs: Readonly<Record<keyof Round, Cost>>[] = [];
  for (let round = 0; round < given.rounds; round++) {
    // The side that goes first in a round goes second in the next, so that a machine that slows down affects both.
    const first = round % 2 === 0 ? 'ours' : 'reference';
    const cost = await costOf(first);
    pairs.push(
      first === 'ours'
        ? { ours: cost, reference: await costOf('reference') }
        : { ours: await costOf('ours'), reference: cost },
    );
  }
  const ratio = (what: string, unit: string, of: (cost: Cost) => number): Ratio =>
    ratiosOf(
      `${name}, ${what}`,
      unit,
      'two API processes with Redis; without it',
      pairs.map(({ ours, reference }) => ({ ours: of(ours), reference: of(reference) })),
    );
  return [
    ratio('of both processes', 'requests/s', ({ rate }) => rate),
    ratio('a request alone', 'µs', ({ wait }) => wait * 1000),
    ratio('processor time of the API processes', 'µs', ({ api }) => api * 1000),
    ratio('processor time of Postgres', 'µs', ({ postgres }) => postgres * 1000),
    ratio('processor time of all with Redis', 'µs', ({ all }) => all * 1000),
  ];
}

async function costsOn(
  services: readonly ServiceChild[],
  { postgres, redis }: Stores,
  asked: readonly Asked[],
  seconds: number,
): Promise<Cost> {
  const wait = await waitOf(services, asked);
  const pids = services.flatMap(({ pid }) => pid ?? []);
  const [apiBefore, serversBefore, redisBefore] = [
    timesOf(pids),
    timesOf(await backendsOf(postgres)),
    await redisSeconds(redis),
  ];
  const [own, ...others] = asked;
  if (own === undefined) throw new Error('There is nothing to ask.');
  const loads = await Promise.all(services.map(({ url }) => load({ url, ...own, others, seconds })));
  const answered = loads.reduce((all, one) => all + one.answered, 0);
  const perRequest = (spent: number): number => (1000 * spent) / answered;
  const api = perRequest(spentSince(apiBefore, timesOf(pids)));
  const server = perRequest(spentSince(serversBefore, timesOf(await backendsOf(postgres))));
  const cache = perRequest((await redisSeconds(redis)) - redisBefore);
  const rate = loads.reduce((all, one) => all + one.rate, 0);
  return { rate, wait, api, postgres: server, all: api + server + cache };
}

/** Sent alternately to each process for each owner. */
async function waitOf(services: readonly ServiceChild[], asked: readonly Asked[]): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < ALONE; at++) {
    const service = services[at % services.length];
    const one = asked[Math.floor(at / services.length) % asked.length];
    if (service === undefined || one === undefined) continue;
    const began = performance.now();
    await answerOf(service.url + one.path, one.headers);
    took.push(performance.now() - began);
  }
  return median(took);
}

async function answerOf(url: string, headers: Owner['headers']): Promise<void> {
  const { statusCode, body } = await request(url, { headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`);
}

type Times = ReadonlyMap<number, number>;

/** Seconds of the processor by process; those that have ended are left out. */
function timesOf(pids: readonly number[]): Times {
  const times = new Map<number, number>();
  for (const pid of pids) {
    try {
      times.set(pid, processorSeconds(pid));
    } catch {}
  }
  return times;
}

/** Also for those that started in between. */
function spentSince(before: Times, after: Times): number {
  let spent = 0;
  for (const [pid, seconds] of after) spent += seconds - (before.get(pid) ?? 0);
  return spent;
}

async function backendsOf(postgres: pg.Client): Promise<readonly number[]> {
  const { rows } = await postgres.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.map(({ pid }) => pid);
}

async function redisSeconds(redis: RedisClient): Promise<number> {
  const info = await redis.info('cpu');
  return [/used_cpu_user:([\d.]+)/, /used_cpu_sys:([\d.]+)/].reduce(
    (all, line) => all + Number(line.exec(info)?.[1]),
    0,
  );
}
