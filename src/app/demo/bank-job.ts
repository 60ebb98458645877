import { CommandFailure } from '../../surfaces/cli/failure.ts';
import { PROVIDERS, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { App } from '../build.ts';
import type { Progress } from './demo-output.ts';
import { banksByName, linkCustomer, readAccount, runEnded } from './demo-steps.ts';
import { type DemoDestination, type DemoTarget, demoTarget, sharingOne } from './demo-target.ts';
import { type DemoPeople, sharedByPeople } from './people.ts';

/** Reading some accounts shows that reading works; the sync reads all of them. */
const ACCOUNTS_READ = 20;
const EARLIEST_ROW = '1960-01-01';

/** What it takes to copy every row of some accounts. */
export interface CopyJob extends Omit<DemoDestination, 'accounts' | 'currency' | 'holds'> {
  readonly progress: Progress;
  /** The accounts and rows that there are now. */
  shared(): { readonly accounts: number; readonly rows: number };
}

interface BankJob extends Omit<CopyJob, 'shared'> {
  readonly app: App;
  readonly people: DemoPeople;
}

/** What was copied. `syncGrowth`: how far resident memory rose while the syncs ran, sampled. */
export interface Copied {
  readonly accounts: number;
  readonly rowsAtBank: number;
  /** Rows that the destination cannot store, as counted by the runs. */
  readonly rejected: number;
  readonly syncSeconds: number;
  readonly syncGrowth: number;
  readonly problems: readonly string[];
  readonly target: DemoTarget | null;
}

/** The main job for banks: links everyone, reads their accounts, and copies every row to the destination. */
export async function bankJob(job: BankJob): Promise<Copied> {
  const { v2, app, progress } = job;
  const accounts = await linked(job);
  progress.step(`Reading balances and transactions of ${Math.min(accounts.length, ACCOUNTS_READ)} accounts`);
  for (const account of accounts.slice(0, ACCOUNTS_READ)) await readAccount(v2, account);
  return copyAccounts({ ...job, shared: () => sharedByPeople(app) }, accounts);
}

/** Connects the destination and copies every row of the accounts to it. */
export async function copyAccounts(job: CopyJob, accounts: readonly string[]): Promise<Copied> {
  const { type, progress } = job;
  progress.step(`Connecting ${type}`);
  const targets: (DemoTarget & { readonly accounts: readonly string[] })[] = [];
  for (const shared of await sharingOne(job, accounts))
    targets.push({ ...(await demoTarget({ ...job, ...shared, holds: 'transactions' })), ...shared });
  const [target = null] = targets;
  if (target === null) throw new CommandFailure('There is no account to copy.');
  progress.step(`Syncing to ${type}`);
  return { ...(await copied(job, targets, target)), target };
}

async function linked({ v2, app, people, receiver, progress, signal }: BankJob): Promise<readonly string[]> {
  const banks = new Map<ProviderIdentifier, ReadonlyMap<string, string>>();
  for (const provider of new Set(people.customers.map((one) => one.provider)))
    if (PROVIDERS[provider].linksInstitution) banks.set(provider, await banksByName(v2, provider));
  const accounts: string[] = [];
  for (const [at, customer] of people.customers.entries()) {
    const { bank, provider } = customer;
    app.sandbox?.simulators.get(provider)?.people?.choose?.(customer.customer);
    progress.step(`Linking ${bank ?? provider}, customer ${at + 1} of ${people.customers.length}`);
    const known = banks.get(provider) ?? new Map();
    accounts.push(...(await linkCustomer(v2, customer, known, `${receiver.url}/linked`, signal)));
  }
  return accounts;
}

/**
 * Runs a sync for each target until every row that there is by then is copied. `all`: the rows of all targets.
 */
async function copied(
  { shared, v2, type, progress, signal }: CopyJob,
  targets: readonly (DemoTarget & { readonly accounts: readonly string[] })[],
  all: DemoTarget,
): Promise<Omit<Copied, 'target'>> {
  const syncing = performance.now();
  const memory = process.memoryUsage.rss();
  let syncGrowth = 0;
  let runs: { readonly sync: string; readonly run: string }[] = [];
  for (const { destination, mappings, accounts } of targets) {
    const sync = await v2.syncs.create({
      type: 'transactions',
      name: 'Demo sync',
      destination,
      accounts,
      ...mappings,
      mapping_mode: 'bulk',
      options: { data_from: EARLIEST_ROW, include_pending: true },
    });
    if (sync.latest_run === null) throw new CommandFailure('The sync was made without a first run.');
    runs.push({ sync: sync.id, run: sync.latest_run.id });
  }
  const problems: string[] = [];
  const rejectedOf = new Map<string, number>();
  for (;;) {
    const before = shared().rows;
    for (const { sync, run } of runs) {
      const ended = await runEnded(v2, run, signal, () => {
        syncGrowth = Math.max(syncGrowth, process.memoryUsage.rss() - memory);
        progress.update(
          `Syncing to ${type}: ${all.arrived().rows.toLocaleString('en')} of ${before.toLocaleString('en')} rows`,
        );
      });
      // A later run reads part of the window and counts the rows rejected there again.
      const { rejected } = ended.counts;
      rejectedOf.set(sync, Math.max(rejected, rejectedOf.get(sync) ?? 0));
      if (ended.status !== 'succeeded') {
        problems.push(`The sync run ended as ${ended.status}: ${ended.failure?.code ?? 'no code'}.`);
      }
    }
    const syncSeconds = (performance.now() - syncing) / 1000;
    const { accounts, rows } = shared();
    // A pending row that posts during a run changes what has to be delivered.
    if (rows === before || problems.length > 0) {
      const rejected = [...rejectedOf.values()].reduce((sum, count) => sum + count, 0);
      return { accounts, rowsAtBank: rows, rejected, syncSeconds, syncGrowth, problems };
    }
    const again: typeof runs = [];
    for (const { sync } of runs) again.push({ sync, run: (await v2.syncs.run({ id: sync })).id });
    runs = again;
  }
}
