import { Tributary } from '#client';
import { processorSeconds } from '../../scripts/lib/processor-time.ts';
import type { ServiceChild } from '../../scripts/lib/service-child.ts';
import { runEnded } from '../../src/app/demo/demo-steps.ts';
import { startChild } from './child.ts';
import { type PreparedService, prepareService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';
import { ownersOf, rowsOfYear } from './redis.ts';
import { load } from './requests.ts';

const API_PROCESSES = 2;
const WORKERS = 4;
/** What four workers execute at a time with their default limits. */
const OWNERS = 32;
/** One page of the simulated bank. */
const ROWS = 500;
/** What each page of the bank takes: then a sync waits for it for longer than it needs the processor. */
const PAGE_MS = 5_000;
const DEADLINE_MS = 10 * 60_000;

/**
 * What further processes add to an installation on one Postgres server: requests of two API processes compared with one,
 * and syncs of four workers compared with one while the bank takes its time. Empty unless `DATABASE_URL` is set.
 */
export async function compareScaleOut(rounds: number, seconds: number): Promise<Ratio[]> {
  if (!process.env.DATABASE_URL) return [];
  return [...(await compareApis(rounds, seconds)), await compareWorkers(rounds)];
}

/** Of all processes together. */
interface Served {
  /** Requests a second. */
  readonly rate: number;
  /** The same if each process had a core of its own: by its processor time per request. */
  readonly capacity: number;
}

async function compareApis(rounds: number, seconds: number): Promise<Ratio[]> {
  const prepared = await prepareService(ROWS, []);
  const apis: ServiceChild[] = [];
  try {
    const owners = await ownersOf(prepared);
    await prepared.service.stop();
    for (let at = 0; at < API_PROCESSES; at++) apis.push(await prepared.beside({ ROLES: 'api' }));
    const found: Ratio[] = [];
    for (const [name, pathOf] of [
      ['GET /v2/me', () => '/v2/me'],
      ['GET /v2/transactions, 100 rows, cached', rowsOfYear],
    ] as const) {
      const [own, ...others] = owners.map(({ account, headers }) => ({ path: pathOf(account), headers }));
      if (own === undefined) throw new Error('There is nothing to ask.');
      const served = (services: readonly ServiceChild[]): Promise<Served> =>
        servedBy(services, (url) => load({ url, ...own, others, seconds }));
      const pairs: Readonly<Record<keyof Round, Served>>[] = [];
      await served(apis);
      for (let round = 0; round < rounds; round++) {
        const one = apis.slice(round % 2, (round % 2) + 1);
        if (round % 2 === 0) {
          const reference = await served(one);
          pairs.push({ reference, ours: await served(apis) });
        } else {
          const ours = await served(apis);
          pairs.push({ ours, reference: await served(one) });
        }
      }
      const ratio = (what: string, of: (one: Served) => number): Ratio =>
        ratiosOf(
          `${name}, ${what}`,
          'requests/s',
          'two API processes on one Postgres server; one of them',
          pairs.map(({ ours, reference }) => ({ ours: of(ours), reference: of(reference) })),
        );
      found.push(
        ratio('answered', ({ rate }) => rate),
        ratio('by processor time', ({ capacity }) => capacity),
      );
    }
    return found;
  } finally {
    for (const api of apis) await api.stop();
    await prepared.close();
  }
}

async function servedBy(
  services: readonly ServiceChild[],
  loaded: (url: string) => Promise<{ readonly rate: number; readonly answered: number }>,
): Promise<Served> {
  const served = services.map(async ({ pid, url }): Promise<Served> => {
    if (pid === undefined) throw new Error('An API process has ended.');
    const before = processorSeconds(pid);
    const { rate, answered } = await loaded(url);
    return { rate, capacity: answered / (processorSeconds(pid) - before) };
  });
  const all = await Promise.all(served);
  return {
    rate: all.reduce((sum, { rate }) => sum + rate, 0),
    capacity: all.reduce((sum, { capacity }) => sum + capacity, 0),
  };
}

interface Sync {
  readonly v2: Tributary;
  readonly id: string;
}

/**
 * Syncs a second while each page of the bank takes its time, one of each of many owners, with the default limits of a
 * worker: what it lacks are the runs that it executes at a time, not the processor.
 */
async function compareWorkers(rounds: number): Promise<Ratio> {
  const prepared = await prepareService(ROWS, []);
  const receiver = startChild('receiver.ts', {});
  const running: ServiceChild[] = [];
  try {
    const owners = await ownersOf(prepared, OWNERS, ROWS);
    const syncs = await createSyncs(prepared, owners, String((await receiver.next()).url));
    await slowPages(prepared);
    await prepared.service.stop();
    const api = await prepared.beside({ ROLES: 'api' });
    running.push(api);
    const asked = syncs.map(({ secret, id }) => ({
      v2: new Tributary({ url: api.url, apiKey: secret }),
      id,
    }));
    const syncedBy = async (count: number): Promise<number> => {
      const workers: ServiceChild[] = [];
      try {
        for (let at = 0; at < count; at++) workers.push(await prepared.beside({ ROLES: 'worker' }));
        return await synced(asked);
      } finally {
        await Promise.all(workers.map((worker) => worker.stop()));
      }
    };
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const first = await syncedBy(round % 2 === 0 ? 1 : WORKERS);
      const second = await syncedBy(round % 2 === 0 ? WORKERS : 1);
      measured.push(
        round % 2 === 0 ? { ours: second, reference: first } : { ours: first, reference: second },
      );
    }
    const note = `one of each of ${OWNERS} owners, ${PAGE_MS} ms a page; four workers, one`;
    return ratiosOf('syncs while the bank takes its time', 'syncs/h', note, measured);
  } finally {
    for (const service of running) await service.stop();
    await receiver.kill();
    await prepared.close();
  }
}

/** Creates a sync for each owner and waits for its first run, so that what is measured are runs like those of a schedule. */
async function createSyncs(
  { service }: PreparedService,
  owners: readonly { readonly account: string; readonly secret: string }[],
  receiverUrl: string,
): Promise<readonly { readonly id: string; readonly secret: string }[]> {
  const syncs: { readonly id: string; readonly secret: string }[] = [];
  for (const [at, { account, secret }] of owners.entries()) {
    const v2 = new Tributary({ url: service.url, apiKey: secret });
    const target = { url: `${receiverUrl}/${at}` };
    const destination = await v2.destinations.create({ type: 'webhook', name: 'Benchmark', target });
    const { id, latest_run: run } = await v2.syncs.create({
      type: 'transactions',
      name: 'Benchmark',
      destination: destination.id,
      accounts: [account],
      mapping_mode: 'bulk',
      options: { include_pending: true },
    });
    await endOf(v2, run?.id ?? '');
    syncs.push({ id, secret });
  }
  return syncs;
}

async function slowPages({ bank }: PreparedService): Promise<void> {
  const route = 'GET /v1/banking/transactions';
  const answer = await fetch(`${bank.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ route, kind: 'latency', latencyMs: PAGE_MS, count: 1_000_000 }),
  });
  if (!answer.ok) throw new Error(`The bank's control answered ${answer.status}.`);
}

/** Syncs an hour, from the first request to the end of the last run. */
async function synced(syncs: readonly Sync[]): Promise<number> {
  const began = Date.now();
  const runs = await Promise.all(
    syncs.map(async ({ v2, id }) => ({ v2, run: (await v2.syncs.run({ id })).id })),
  );
  let ended = 0;
  // One after the other: polling all of them would need the processor that the workers need.
  for (const { v2, run } of runs) ended = Math.max(ended, await endOf(v2, run));
  return (3_600_000 * syncs.length) / (ended - began);
}

/** When the run ended, in epoch milliseconds. */
async function endOf(v2: Tributary, id: string): Promise<number> {
  const { status, completed_at } = await runEnded(v2, id, AbortSignal.timeout(DEADLINE_MS));
  if (status !== 'succeeded' || completed_at === null) throw new Error(`A measured run ended as ${status}.`);
  return Date.parse(completed_at);
}
