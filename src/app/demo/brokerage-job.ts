import type { List, Trade } from '#client';
import { systemClock } from '../../platform/clock.ts';
import { CommandFailure } from '../../surfaces/cli/failure.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';
import type { App } from '../build.ts';
import type { Progress } from './demo-output.ts';
import { linkCustomer, runEnded } from './demo-steps.ts';
import { type DemoDestination, type DemoTarget, demoTarget } from './demo-target.ts';
import { type DemoPeople, sharedByPeople } from './people.ts';
import { RowSet } from './receiver.ts';

const DAY_MS = 86_400_000;
/** One window of trades is a year at most. */
const WINDOW_DAYS = 366;
const WINDOWS = 2;
const EARLIEST_ROW = '1960-01-01';

/** Rows that were read or that arrived: how many, and how many of them twice. */
export type RowCounts = { readonly rows: number; readonly duplicates: number };

interface BrokerageJob extends Omit<DemoDestination, 'accounts' | 'holds'> {
  readonly app: App;
  readonly people: DemoPeople;
  readonly progress: Progress;
}

/** What a job found. `read` is used if nothing is delivered because the destination takes no brokerage rows. */
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
 * The main job for a brokerage: links everyone, reads their holdings and trades, and copies both to
 * the destination, as far as its type takes them.
 */
export async function brokerageJob(job: BrokerageJob): Promise<Delivered> {
  const { app, progress, type } = job;
  const accounts = await linked(job);
  progress.step(`Reading holdings and trades of ${accounts.length} accounts`);
  const began = performance.now();
  const memory = process.memoryUsage.rss();
  const holdings = await readRows(accounts, (account) => [job.v2.holdings.list({ account, limit: 100 })]);
  const trades = await readRows(accounts, (account) => tradeWindows(job, account));
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
    if (kind === 'holdings') positions = run.counts.added;
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
  accounts: readonly string[],
  listsOf: (account: string) => readonly AsyncIterable<{ readonly id: string }>[],
): Promise<RowCounts> {
  const read = new RowSet();
  let duplicates = 0;
  for (const account of accounts) {
    for (const list of listsOf(account)) {
      for await (const { id } of list) if (!read.add(`${account} ${id}`)) duplicates += 1;
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
  const sync = await v2.syncs.create({
    type: kind,
    name: `Demo sync of ${kind}`,
    destination,
    accounts,
    ...mappings,
    mapping_mode: 'bulk',
    options: { data_from: EARLIEST_ROW },
  });
  if (sync.latest_run === null) throw new CommandFailure('The sync was made without a first run.');
  const run = await runEnded(v2, sync.latest_run.id, signal);
  if (run.status !== 'succeeded') {
    const code = run.failure?.code ?? 'no code';
    problems.push(`The sync of ${kind} to ${type} ended as ${run.status}: ${code}.`);
  }
  return run;
}

function tradeWindows({ v2 }: Pick<BrokerageJob, 'v2'>, account: string): readonly List<Trade>[] {
  const day = (ago: number): string => new Date(systemClock.now() - ago * DAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: WINDOWS }, (_, at) => {
    const last = at * WINDOW_DAYS - 1;
    return v2.trades.list({ account, from: day(last + WINDOW_DAYS - 1), to: day(last), limit: 100 });
  });
}
