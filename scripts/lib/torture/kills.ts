import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tributary } from '#client';
import { banksByName, linkCustomer, until } from '../../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../../src/app/demo/limits-aside.ts';
import { WebhookReceiver } from '../../../src/app/demo/receiver.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { seedDataDir } from '../../../test/support/schema-template.ts';
import { median, seeded } from '../numbers.ts';
import { ServiceChild } from '../service-child.ts';
import { TORTURED, type TorturedProvider } from './banks.ts';

const FINISH_DEADLINE_MS = 10 * 60_000;
const STUCK_MS = 60_000;
/** Small enough that a sync has many more chunks than a torture has kills. */
const CHUNK_ROWS = 200;

export type TortureOptions = {
  /** Whose rows are delivered; `au_banking` by default. */
  readonly provider?: TorturedProvider;
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  /** A Postgres to use instead of the embedded database. */
  readonly databaseUrl: string | null;
  readonly onProgress: (text: string) => void;
};

export type TortureResult = {
  readonly ok: boolean;
  readonly seed: number;
  readonly kills: number;
  /** Of these, kills before the started service delivered anything. */
  readonly kills_while_starting: number;
  readonly rows_at_bank: number;
  readonly rows_delivered: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly redelivered_events: number;
  readonly signatures_refused: number;
  /** What the runs themselves counted as added, together. */
  readonly rows_counted: number;
  readonly runs: number;
  readonly run_status: string;
  readonly median_start_ms: number;
  readonly longest_start_ms: number;
  readonly seconds: number;
};

/**
 * Kills the service with SIGKILL at random moments during one sync and starts it again on the same data, then lets it
 * finish. The receiver and the bank live in this process and see everything.
 */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const started = performance.now();
  const random = seeded(options.seed);
  const directory = await mkdtemp(join(tmpdir(), 'tributary-torture-'));
  if (options.databaseUrl === null) await seedDataDir(directory);
  const receiver = await WebhookReceiver.start();
  const { provider = 'au_banking' } = options;
  const simulator = await TORTURED[provider]();
  const service = new ServiceChild({
    dataDir: directory,
    port: await freePort('127.0.0.1'),
    env: {
      ...simulator.env,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LIMIT_WEBHOOK_CHUNK_ROWS: String(CHUNK_ROWS),
      ...LIMITS_ASIDE,
      ...(options.databaseUrl === null ? {} : { DATABASE_URL: options.databaseUrl }),
    },
  });
  const starts: number[] = [];
  const start = async (): Promise<void> => {
    service.launch();
    starts.push(await service.ready());
  };
  try {
    await start();
    const v2 = new Tributary({ url: service.url, apiKey: await service.newKey() });
    const signal = AbortSignal.timeout(60 * 60_000);
    const { bank, people, delivers } = simulator;
    const customer = { provider, bank, customer: `rows:${options.rows}` } as const;
    people.choose?.(customer.customer);
    const accounts = await linkCustomer(
      v2,
      customer,
      bank === null ? new Map() : await banksByName(v2, provider),
      `${receiver.url}/linked`,
      signal,
    );
    const destination = await v2.destinations.create({
      type: 'webhook',
      name: 'Torture',
      target: { url: `${receiver.url}/deliveries` },
    });
    receiver.expect(destination.config?.signing_secret ?? '');
    const sync = await v2.syncs.create({
      type: delivers,
      name: 'Torture',
      destination: destination.id,
      accounts,
      mapping_mode: 'bulk',
      options: { data_from: '1960-01-01', include_pending: true },
    });
    let whileStarting = 0;
    for (let kill = 1; kill <= options.kills; kill++) {
      const chunksLeft = (options.rows - receiver.counts().rows) / CHUNK_ROWS;
      const allowance = Math.floor(chunksLeft / (options.kills - kill + 2));
      if (await surviveUntilKilled(service, receiver, random, allowance)) whileStarting += 1;
      options.onProgress(
        `kill ${kill} of ${options.kills}, ${receiver.counts().rows} of ${options.rows} rows`,
      );
      await start();
    }
    const latest = await until(
      () => v2.syncs.listRuns({ id: sync.id, limit: 100 }).page(),
      ({ data }) => data.every(({ status }) => status !== 'queued' && status !== 'running'),
      FINISH_DEADLINE_MS,
      signal,
      () => options.onProgress(`finishing, ${receiver.counts().rows} of ${options.rows} rows`),
    );
    const runs = latest.data;
    const counts = receiver.counts();
    const rowsAtBank = simulator.rows();
    const counted = runs.reduce((sum, run) => sum + run.counts.added, 0);
    const lost = Math.max(0, rowsAtBank - counts.rows);
    const runStatus = [...new Set(runs.map((run) => run.status))].join(', ');
    return {
      ok:
        counts.rows === rowsAtBank &&
        counts.duplicates === 0 &&
        counts.refused === 0 &&
        counted === rowsAtBank &&
        runStatus === 'succeeded',
      seed: options.seed,
      kills: options.kills,
      kills_while_starting: whileStarting,
      rows_at_bank: rowsAtBank,
      rows_delivered: counts.rows,
      duplicates: counts.duplicates,
      lost,
      redelivered_events: counts.redelivered,
      signatures_refused: counts.refused,
      rows_counted: counted,
      runs: runs.length,
      run_status: runStatus,
      median_start_ms: Math.round(median(starts)),
      longest_start_ms: Math.round(Math.max(...starts)),
      seconds: Math.round((performance.now() - started) / 100) / 10,
    };
  } finally {
    await service.kill();
    await receiver.close();
    await simulator.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Lets the service work for a random while and kills it: before it delivered anything, while it waits for the answer
 * to a delivery, or a moment after one. At most `allowance` chunks pass, so that the sync outlives all kills.
 * Returns whether nothing was delivered.
 */
async function surviveUntilKilled(
  service: ServiceChild,
  receiver: WebhookReceiver,
  random: () => number,
  allowance: number,
): Promise<boolean> {
  const before = receiver.counts().deliveries;
  const chunks = Math.floor(random() * (allowance + 1));
  const kind = random();
  const moment = random();
  if (chunks === 0 && kind < 0.5) {
    await pause(moment * 150);
    await service.kill();
    return receiver.counts().deliveries === before;
  }
  await new Promise<void>((resolve, reject) => {
    const stuck = setTimeout(() => {
      receiver.beforeAnswer = null;
      reject(new Error('The started service delivered nothing for a minute.'));
    }, STUCK_MS);
    let left = Math.max(1, chunks);
    receiver.beforeAnswer = () => {
      left -= 1;
      if (left > 0) return;
      receiver.beforeAnswer = null;
      clearTimeout(stuck);
      if (kind < 0.6) void service.kill().then(resolve);
      else void pause(moment * 40).then(() => service.kill().then(resolve));
    };
  });
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
