import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../scripts/lib/numbers.ts';
import { Progress } from '../src/app/demo/demo-output.ts';
import { compareAgents } from './lib/agents.ts';
import { compareBridge } from './lib/bridge.ts';
import { compareChecks } from './lib/checks.ts';
import { compareCommandLine } from './lib/command-line.ts';
import { compareDestinations } from './lib/destinations.ts';
import { compareEventCost } from './lib/event-cost.ts';
import { compareEvents } from './lib/events.ts';
import { compareHanging } from './lib/hanging.ts';
import { measureLedger } from './lib/ledger.ts';
import { compareMemory } from './lib/memory.ts';
import { comparePaging } from './lib/paging.ts';
import { type PreparedService, prepareService } from './lib/prepared-service.ts';
import type { Ratio } from './lib/ratio.ts';
import { compareRedis } from './lib/redis.ts';
import { ratioTable, writeReport } from './lib/report.ts';
import { compareRequests } from './lib/requests.ts';
import { compareScaleOut } from './lib/scale-out.ts';
import { compareSync } from './lib/sync.ts';
import { v1Accounts } from './lib/v1-accounts.ts';

/** `npm run bench`: ratios against bare references, measured in the same run on the same machine. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    rows: { type: 'string' },
    only: { type: 'string' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const rounds = wholeNumber('rounds', values.rounds, 5, 1);
const seconds = wholeNumber('seconds', values.seconds, 3, 1);
const rows = wholeNumber('rows', values.rows, 50_000, 1);
const { only, profile } = values;
/** A round takes minutes, and its result is stable. */
const PAGING_ROUNDS = 1;
/** A round takes minutes. */
const EVENT_ROUNDS = 3;
const wanted = (name: string): boolean => only === undefined || only === name;
if (profile !== undefined) await mkdir(profile, { recursive: true });

const progress = new Progress(process.stderr);
const found: Ratio[] = [];
if (wanted('checks')) {
  progress.step('The checks of a request');
  found.push(...(await compareChecks(rounds, seconds)));
}
if (wanted('command-line')) {
  progress.step('A command at a shell');
  found.push(...(await compareCommandLine(rounds)));
}
if (wanted('memory')) {
  progress.step('Memory of starts and of a sync');
  found.push(...(await compareMemory(rounds)));
}
if (wanted('paging')) {
  progress.step('Ten million rows, page by page');
  found.push(await comparePaging(Math.min(rounds, PAGING_ROUNDS)));
}
if (wanted('destinations')) {
  progress.step(`Syncs of ${rows} rows to each destination`);
  found.push(...(await compareDestinations(rows)));
}
if (wanted('events')) {
  progress.step('Events to receivers, some of which are bad');
  found.push(...(await compareEvents(Math.min(rounds, EVENT_ROUNDS))));
}
if (wanted('redis')) {
  progress.step('Two API processes with Redis and without');
  found.push(...(await compareRedis(rounds, seconds)));
}
if (wanted('scale-out')) {
  progress.step('Two API processes, and four workers');
  found.push(...(await compareScaleOut(rounds, seconds)));
}
if (['me', 'transactions', 'v1', 'mcp', 'bridge', 'hanging', 'event-cost', 'sync'].some(wanted))
  await compareService();
progress.done();
process.stdout.write(values.json ? `${JSON.stringify(found)}\n` : `${ratioTable(found)}\n`);
if (values.write) await writeReport(found, { rounds, seconds });

async function compareService(): Promise<void> {
  progress.step('Starting the service and a bank');
  const prepared = await prepareService(
    rows,
    profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  );
  try {
    if (wanted('me')) {
      progress.step('GET /v2/me');
      found.push(await compareRequests(prepared, 'GET /v2/me', '/v2/me', rounds, seconds));
    }
    if (wanted('transactions')) {
      progress.step('GET /v2/transactions');
      const path = `/v2/transactions?account=${prepared.account}&from=${yearAgo()}&limit=100`;
      found.push(
        await compareRequests(prepared, 'GET /v2/transactions, 100 rows, cached', path, rounds, seconds),
      );
    }
    if (wanted('v1')) {
      progress.step('GET /v1/transactions');
      const path = `${await v1Transactions(prepared)}&from=${yearAgo()}&limit=100`;
      found.push(
        await compareRequests(prepared, 'GET /v1/transactions, 100 rows, cached', path, rounds, seconds),
      );
    }
    if (wanted('mcp')) {
      progress.step('Calls of agents');
      found.push(...(await compareAgents(prepared, rounds, seconds)));
    }
    if (wanted('bridge')) {
      progress.step('The bridge');
      found.push(await compareBridge(prepared, rounds));
    }
    if (wanted('hanging')) {
      progress.step('Reads while a bank hangs');
      found.push(await compareHanging(prepared, rounds));
    }
    if (wanted('event-cost')) {
      progress.step('Reads and syncs beside ten event destinations');
      found.push(...(await compareEventCost(prepared, { rounds, seconds, rows })));
    }
    if (wanted('sync')) {
      progress.step(`A sync of ${rows} rows`);
      found.push(await compareSync(prepared, rows, rounds));
      progress.step('The ledger');
      found.push(await measureLedger(prepared));
    }
  } finally {
    await prepared.close();
  }
}

function yearAgo(): string {
  return new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
}

/** The address at which v1 reads the linked account. */
async function v1Transactions({ v2 }: PreparedService): Promise<string> {
  const [account] = await v1Accounts(v2);
  if (account === undefined) throw new Error('v1 lists no account.');
  return `/v1/transactions?connectionId=${account.connectionId}&accountId=${account.id}`;
}
