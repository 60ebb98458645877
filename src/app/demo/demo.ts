import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Tributary } from '#client';
import { systemClock } from '../../platform/clock.ts';
import { type Config, type Environment, withBoundPort } from '../../platform/config.ts';
import { freePort } from '../../platform/free-port.ts';
import type { Log } from '../../platform/log.ts';
import { CommandFailure, EXIT } from '../../surfaces/cli/failure.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import { PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import { SCOPES } from '../../vocabulary/scopes.ts';
import { INTEGRATIONS, type Integration } from '../integrations.ts';
import { readConfig } from '../read-config.ts';
import { prepareSimulators } from '../sandbox-mode.ts';
import { type Running, serve } from '../serve.ts';
import { bankJob } from './bank-job.ts';
import { brokerageJob, type RowCounts } from './brokerage-job.ts';
import type { DemoResult, Progress } from './demo-output.ts';
import { RUN_DEADLINE_MS } from './demo-steps.ts';
import { type DemoTarget, rowsWorthWaitingFor } from './demo-target.ts';
import { LIMITS_ASIDE } from './limits-aside.ts';
import { type DemoPeople, demoPeople } from './people.ts';
import { WebhookReceiver } from './receiver.ts';
import { statementJob } from './statement-job.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Longer than any bank's data file reaches back, so that every row is in the sync's window. */
const HISTORY_MONTHS = 1200;

export type DemoOptions = {
  /** Whose customers are linked; by default those of every provider of banks. */
  readonly provider?: string | undefined;
  readonly data: string | undefined;
  readonly rows: number | undefined;
  /** A statement file that is taken in place of linking customers. */
  readonly statement?: string | undefined;
  readonly keep: boolean;
  /** Where the rows go; by default to a webhook. */
  readonly destination?: DestinationType;
};

/** Does the main job once, end to end, over HTTP, in a temporary directory. */
export async function demo(
  options: DemoOptions,
  parts: {
    readonly env: Environment;
    readonly log: Log;
    readonly progress: Progress;
    readonly integrations?: readonly Integration[];
    /** Called with the result while everything is still running; the service stops when it returns. */
    readonly stay?: (result: DemoResult) => Promise<void>;
    /** Makes an empty, migrated database in a data directory; by default in a process of its own. */
    readonly makeDatabase?: (dataDir: string) => Promise<void>;
  },
): Promise<DemoResult> {
  const started = performance.now();
  const { log, progress, integrations = INTEGRATIONS, makeDatabase = migrateEmpty } = parts;
  const type = options.destination ?? 'webhook';
  const rows = demoRows(options);
  const { statement } = options;
  const people =
    statement === undefined
      ? await demoPeople(integrations, { ...options, rows })
      : { sandbox: await prepareSimulators(integrations, null), customers: [] };
  const directory = await mkdtemp(join(tmpdir(), 'tributary-demo-'));
  let running: Running | null = null;
  let receiver: WebhookReceiver | null = null;
  const abandon = (): void => {
    if (!options.keep) rmSync(directory, { recursive: true, force: true });
    process.exit(EXIT.failure);
  };
  for (const signal of SIGNALS) process.once(signal, abandon);
  try {
    if (rows !== options.rows)
      progress.step(`Rows arrive slowly at ${type}: ${rows} are enough here, and --rows N copies N`);
    progress.step('Starting the service and its sandbox');
    receiver = await WebhookReceiver.start();
    await makeDatabase(directory);
    const config = await demoConfig(directory, parts.env, integrations);
    const { sandbox } = people;
    running = await serve(config, { log, clock: systemClock, integrations, sandbox });
    const outcome = await mainJob(running, receiver, { people, statement }, type, progress);
    const result = demoResult(outcome, receiver, {
      source: statement === undefined ? 'bank' : 'file',
      seconds: (performance.now() - started) / 1000,
      directory: options.keep ? directory : null,
    });
    if (parts.stay !== undefined) {
      progress.done();
      for (const signal of SIGNALS) process.off(signal, abandon);
      await parts.stay(result);
    }
    return result;
  } finally {
    progress.done();
    for (const signal of SIGNALS) process.off(signal, abandon);
    await running?.close();
    await receiver?.close();
    if (!options.keep) await rm(directory, { recursive: true, force: true });
  }
}

/** The rows of the customer that the demo links: as many as requested, or fewer if that would take long. */
export function demoRows({ rows, data, provider, statement, destination }: DemoOptions): number | undefined {
  if (statement !== undefined || rows !== undefined || data !== undefined || provider !== undefined)
    return rows;
  return destination === undefined ? undefined : rowsWorthWaitingFor(destination);
}

/**
 * Makes the empty database in a process of its own. Doing so once takes more memory than everything that follows, and
 * would hide how much the sync takes, which is what the peak is meant to show.
 */
async function migrateEmpty(directory: string): Promise<void> {
  const launcher = fileURLToPath(new URL('../../../bin/tributary.js', import.meta.url));
  const env = { DATA_DIR: directory, SANDBOX: 'off' };
  await promisify(execFile)(process.execPath, [launcher, 'migrate'], { env });
}

/** The demo's own installation: it uses none of the operator's settings except the log level. */
async function demoConfig(
  directory: string,
  env: Environment,
  integrations: readonly Integration[],
): Promise<Config> {
  const settings = {
    DATA_DIR: directory,
    PORT: '0',
    SANDBOX: 'on',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: env.LOG_LEVEL,
    SHUTDOWN_SECONDS: '5',
    LIMIT_HISTORY_MONTHS: String(HISTORY_MONTHS),
    ...LIMITS_ASIDE,
  };
  const config = readConfig(settings, integrations);
  return withBoundPort(config, await freePort(config.host));
}

type Outcome = {
  readonly accounts: number;
  readonly rowsAtBank: number;
  /** Rows that the destination cannot store, as counted by its runs. */
  readonly rejected?: number;
  /** What was read over v2, if nothing is delivered. */
  readonly read?: RowCounts;
  readonly syncSeconds: number;
  /** How far resident memory rose while the sync ran, sampled while waiting. */
  readonly syncGrowth: number;
  readonly problems: readonly string[];
  /** Where the rows were delivered; null if nothing was. */
  readonly target: DemoTarget | null;
};

async function mainJob(
  { app, url }: Running,
  receiver: WebhookReceiver,
  { people, statement }: { readonly people: DemoPeople; readonly statement: string | undefined },
  type: DestinationType,
  progress: Progress,
): Promise<Outcome> {
  if (app.sandbox === null) throw new CommandFailure('The demo needs the sandbox, and it is not running.');
  const { accountRecords, apiKeys } = app.services;
  const record = await accountRecords.create({ email: 'demo@localhost' });
  const { secret } = await apiKeys.create(record.id, { name: 'Demo', scopes: SCOPES }, null);
  const v2 = new Tributary({ url, apiKey: secret });
  const signal = AbortSignal.timeout(RUN_DEADLINE_MS);
  const job = { type, v2, app, url, receiver, people, progress, signal };
  if (statement !== undefined) return statementJob({ ...job, statement });
  if (people.customers.every(({ provider }) => PROVIDERS[provider].category === 'brokerage'))
    return brokerageJob(job);
  return bankJob(job);
}

function demoResult(
  outcome: Outcome,
  receiver: WebhookReceiver,
  more: {
    readonly source: DemoResult['source'];
    readonly seconds: number;
    readonly directory: string | null;
  },
): DemoResult {
  const delivered = receiver.counts();
  const counts = { ...delivered, ...outcome.target?.arrived(), ...outcome.read };
  const { rejected = 0 } = outcome;
  const lost = Math.max(0, outcome.rowsAtBank - counts.rows - rejected);
  const problems = [...outcome.problems];
  if (counts.refused > 0) problems.push(`${counts.refused} deliveries were refused: ${receiver.problem}.`);
  if (counts.duplicates > 0) problems.push(`${counts.duplicates} rows arrived twice.`);
  if (lost > 0) problems.push(`${lost} rows were lost.`);
  if (counts.rows + rejected > outcome.rowsAtBank)
    problems.push(`More rows arrived than the ${more.source} has.`);
  return {
    ok: problems.length === 0,
    accounts: outcome.accounts,
    source: more.source,
    rows_at_bank: outcome.rowsAtBank,
    rows_delivered: counts.rows,
    rejected,
    duplicates: counts.duplicates,
    lost,
    deliveries: counts.deliveries,
    signatures_verified: counts.deliveries - counts.refused,
    signatures_refused: counts.refused,
    seconds: rounded(more.seconds),
    sync_seconds: rounded(outcome.syncSeconds),
    rows_per_second: Math.round(counts.rows / outcome.syncSeconds),
    peak_rss_bytes: process.resourceUsage().maxRSS * 1024,
    sync_rss_growth_bytes: outcome.syncGrowth,
    pages: outcome.target?.pages() ?? [],
    directory: more.directory,
    problems,
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
