import type { App } from '../../build.ts';
import { systemClock } from '../../platform/clock.ts';
import { linkCustomer } from './demo-steps.ts';
import { type DemoPeople, sharedByPeople } from './people.ts';
import type { Progress } from './progress.ts';
import { RowSet } from './row-set.ts';
import type { V2Client } from './v2-client.ts';

const DAY_MS = 86_400_000;
/** One window of trades is a year at most. */
const WINDOW_DAYS = 366;
const WINDOWS = 2;

/** Rows that were read: how many there are, and how many came twice. */
export type RowCounts = { readonly rows: number; readonly duplicates: number };

/**
 * The main job of a brokerage: links everybody, reads what their accounts hold and what they traded, and counts.
 */
export async function readingJob(
  v2: V2Client,
  app: App,
  people: DemoPeople,
  returnUrl: string,
  progress: Progress,
  signal: AbortSignal,
) {
  const accounts: string[] = [];
  for (const [at, customer] of people.customers.entries()) {
    progress.step(`Linking ${customer.provider}, customer ${at + 1} of ${people.customers.length}`);
    accounts.push(...(await linkCustomer(v2, customer, new Map(), returnUrl, signal)));
  }
  progress.step(`Reading holdings and trades of ${accounts.length} accounts`);
  const reading = performance.now();
  const memory = process.memoryUsage.rss();
  const read = new RowSet();
  let duplicates = 0;
  for (const account of accounts) {
    for (const path of [`/v2/holdings?account=${account}&limit=100`, ...tradeWindows(account)]) {
      for await (const row of v2.list(path)) if (!read.add(`${account} ${row.text('id')}`)) duplicates += 1;
    }
  }
  const { accounts: shared, rows } = sharedByPeople(app);
  return {
    accounts: shared,
    rowsAtBank: rows,
    read: { rows: read.size, duplicates },
    syncSeconds: (performance.now() - reading) / 1000,
    syncGrowth: Math.max(0, process.memoryUsage.rss() - memory),
    problems: [],
  };
}

function tradeWindows(account: string): readonly string[] {
  const day = (ago: number): string => new Date(systemClock.now() - ago * DAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: WINDOWS }, (_, at) => {
    const last = at * WINDOW_DAYS - 1;
    return `/v2/trades?account=${account}&from=${day(last + WINDOW_DAYS - 1)}&to=${day(last)}&limit=100`;
  });
}
