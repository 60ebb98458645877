import { systemClock } from '../../platform/clock.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';
import { linkCustomer, runEnded } from './demo-steps.ts';
import { type DemoDestination, type DemoTarget, demoTarget } from './demo-target.ts';
import { type DemoPeople, sharedByPeople } from './people.ts';
import type { Progress } from './progress.ts';
import { RowSet } from './row-set.ts';

const DAY_MS = 86_400_000;
/** One window of trades is a year at most. */
const WINDOW_DAYS = 366;
const WINDOWS = 2;
const EARLIEST_ROW = '1960-01-01';

/** Rows that were read or arrived: how many there are, and how many came twice. */
export type RowCounts = { readonly rows: number; readonly duplicates: number };

interface BrokerageJob extends Omit<DemoDestination, 'accounts' | 'holds'> {
  readonly people: DemoPeople;
  readonly progress: Progress;
}

/** What a job found. `read`: what counts where nothing is delivered, because the destination holds no rows of brokers. */
interface Delivered {
  readonly accounts: number;
  readonly rowsAtBank: number;
  readonly read?: RowCounts;
  readonly syncSeconds: number;
  readonly syncGrowth: number;
  readonly problems: readonly string[];
  readonly target: DemoTarget | null;
}

/**
 * The main job of a brokerage: links everybody, reads what their accounts hold and what they traded, and copies both to
 * the destination, as far as its type holds them.
 */
export async function brokerageJob(job: BrokerageJob): Promise<Delivered> {
  const { app, progress, type } = job;
  const accounts = await linked(job);
  progress.step(`Reading holdings and trades of ${accounts.length} accounts`);
  const began = performance.now();
  const memory = process.memoryUsage.rss();
  const holdings = await readRows(job, accounts, (account) => [`/v2/holdings?account=${account}&limit=100`]);
  const trades = await readRows(job, accounts, tradeWindows);
  const shared = sharedByPeople(app);
  const read = {
    rows: holdings.rows + trades.rows,
    duplicates: holdings.duplicates + trades.duplicates,
  };
  const found = { accounts: shared.accounts, syncGrowth: Math.max(0, process.memoryUsage.rss() - memory) };
  const seconds = (): number => (performance.now() - began) / 1000;
  const { holds } = DESTINATION_KINDS[type];
  const kinds = (['trades', 'holdings'] as const).filter((kind) => holds.includes(kind));
  if (kinds.length === 0) {
    return { ...found, rowsAtBank: shared.rows, read, syncSeconds: seconds(), problems: [], target: null };
  }
  const problems =
    read.rows === shared.rows ? [] : [`${shared.rows} rows are shared and ${read.rows} were read.`];
  const syncing = performance.now();
  const before = process.memoryUsage.rss();
  let target: DemoTarget | null = null;
  let positions = 0;
  for (const kind of kinds) {
    progress.step(`Syncing ${kind} to ${type}`);
    const made = await demoTarget({ ...job, accounts, holds: kind });
    target ??= made;
    const run = await synced(job, made, kind, accounts, problems);
    if (kind === 'holdings') positions = run.part('counts').number('added');
  }
  const arrived = target?.arrived;
  return {
    ...found,
    rowsAtBank: trades.rows + (holds.includes('holdings') ? holdings.rows : 0),
    syncSeconds: (performance.now() - syncing) / 1000,
    syncGrowth: Math.max(0, process.memoryUsage.rss() - before),
    problems,
    target:
      target === null || arrived === undefined
        ? null
        : {
            ...target,
            arrived: () => {
              const { rows, duplicates } = arrived();
              return { rows: rows + positions, duplicates };
            },
          },
  };
}

async function linked({ v2, people, receiver, progress, signal }: BrokerageJob): Promise<readonly string[]> {
  const accounts: string[] = [];
  for (const [at, customer] of people.customers.entries()) {
    progress.step(`Linking ${customer.provider}, customer ${at + 1} of ${people.customers.length}`);
    accounts.push(...(await linkCustomer(v2, customer, new Map(), `${receiver.url}/linked`, signal)));
  }
  return accounts;
}

async function readRows(
  { v2 }: Pick<BrokerageJob, 'v2'>,
  accounts: readonly string[],
  pathsOf: (account: string) => readonly string[],
): Promise<RowCounts> {
  const read = new RowSet();
  let duplicates = 0;
  for (const account of accounts) {
    for (const path of pathsOf(account)) {
      for await (const row of v2.list(path)) if (!read.add(`${account} ${row.text('id')}`)) duplicates += 1;
    }
  }
  return { rows: read.size, duplicates };
}

async function synced(
  { v2, type, signal }: BrokerageJob,
  { destination, mappings }: DemoTarget,
  kind: Exclude<SyncType, 'transactions'>,
  accounts: readonly string[],
  problems: string[],
) {
  const sync = await v2.post('/v2/syncs', {
    type: kind,
    name: `Demo sync of ${kind}`,
    destination,
    accounts,
    ...mappings,
    mapping_mode: 'bulk',
    options: { data_from: EARLIEST_ROW },
  });
  const run = await runEnded(v2, sync.part('latest_run').text('id'), signal);
  if (run.text('status') !== 'succeeded') {
    const code = run.partOrNull('failure')?.text('code') ?? 'no code';
    problems.push(`The sync of ${kind} to ${type} ended as ${run.text('status')}: ${code}.`);
  }
  return run;
}

function tradeWindows(account: string): readonly string[] {
  const day = (ago: number): string => new Date(systemClock.now() - ago * DAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: WINDOWS }, (_, at) => {
    const last = at * WINDOW_DAYS - 1;
    return `/v2/trades?account=${account}&from=${day(last + WINDOW_DAYS - 1)}&to=${day(last)}&limit=100`;
  });
}
