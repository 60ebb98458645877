import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tributary } from '#client';
import { MIB, peakMemoryOf, watchMemory } from '../../scripts/lib/peak-memory.ts';
import { ServiceChild } from '../../scripts/lib/service-child.ts';
import { banksByName, linkCustomer } from '../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../src/app/demo/limits-aside.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { type BenchChild, startChild } from './child.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';
import { syncOnce } from './sync.ts';

/** V8 optimises the code that a start has used in the seconds after it. */
const SETTLE_MS = 3_000;
const ROWS = 100_000;

interface Peaks {
  readonly first: number;
  readonly restart: number;
  readonly synced: number;
}

/**
 * The peak memory of a first start (with the child process that creates the database), of a restart, and of a restarted
 * service that has synced, compared with a process that only opens PGlite with its defaults. In MiB, on Linux.
 */
export async function compareMemory(rounds: number): Promise<Ratio[]> {
  const ours: Peaks[] = [];
  const bare: Pick<Peaks, 'first' | 'restart'>[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await inDirectory(peaksOfBare));
    ours.push(await inDirectory(peaksOfService));
  }
  const pairs = (key: keyof Peaks, reference: 'first' | 'restart'): Round[] =>
    ours.map((one, at) => ({ ours: one[key], reference: bare[at]?.[reference] ?? Number.NaN }));
  return [
    ratiosOf('peak memory of a first start', 'MiB', 'PGlite alone', pairs('first', 'first')),
    ratiosOf('peak memory of a restart', 'MiB', 'PGlite alone', pairs('restart', 'restart')),
    ratiosOf(
      'peak memory of a restart and a sync',
      'MiB',
      `${ROWS} rows; the restart alone`,
      ours.map(({ synced, restart }) => ({ ours: synced, reference: restart })),
    ),
  ];
}

async function inDirectory<T>(measure: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-bench-memory-'));
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function peaksOfBare(directory: string): Promise<Pick<Peaks, 'first' | 'restart'>> {
  const open = async (): Promise<number> => {
    const child = startChild('bare-database.ts', { location: join(directory, 'database') });
    try {
      await child.next();
      await settle();
      return peak(child.pid);
    } finally {
      await child.kill();
    }
  };
  return { first: await open(), restart: await open() };
}

async function peaksOfService(dataDir: string): Promise<Peaks> {
  const simulator = startChild('simulator.ts', {});
  const receiver = startChild('receiver.ts', {});
  const service = new ServiceChild({
    dataDir,
    port: await freePort('127.0.0.1'),
    env: await envOf(simulator),
  });
  try {
    service.launch();
    const watch = watchMemory(service.pid ?? 0);
    await service.ready();
    await settle();
    const first = watch.stop() / MIB;
    await service.stop();

    service.launch();
    await service.ready();
    await settle();
    const restart = peak(service.pid);
    await syncAll(service, String((await receiver.next()).url));
    return { first, restart, synced: peak(service.pid) };
  } finally {
    await service.kill();
    await simulator.kill();
    await receiver.kill();
  }
}

async function envOf(simulator: BenchChild): Promise<Readonly<Record<string, string>>> {
  const { url } = await simulator.next();
  return {
    FISKIL_BASE_URL: String(url),
    FISKIL_CLIENT_ID: 'bench',
    FISKIL_CLIENT_SECRET: 'bench',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...LIMITS_ASIDE,
  };
}

async function syncAll(service: ServiceChild, receiverUrl: string): Promise<void> {
  const v2 = new Tributary({ url: service.url, apiKey: await service.newKey() });
  try {
    const [account] = await linkCustomer(
      v2,
      { provider: 'au_banking', bank: 'Banking Sandbox Data Holder', customer: `rows:${ROWS}` },
      await banksByName(v2, 'au_banking'),
      'http://127.0.0.1:1/linked',
      AbortSignal.timeout(60_000),
    );
    if (account === undefined) throw new Error('The linked customer has no account.');
    await syncOnce(v2, account, receiverUrl, ROWS);
  } finally {
  }
}

function peak(pid: number | undefined): number {
  const bytes = peakMemoryOf(pid ?? 0);
  if (bytes === null)
    throw new Error('This system does not tell how much memory a process had; run it on Linux.');
  return bytes / MIB;
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
