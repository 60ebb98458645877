import { parseArgs } from 'node:util';
import { Progress } from '../src/app/demo/demo-output.ts';
import { pairs } from '../src/surfaces/cli/table.ts';
import { createServerDatabase } from '../test/support/database.ts';
import { wholeNumber } from './lib/numbers.ts';
import { isTortured, TORTURED } from './lib/torture/banks.ts';
import { failover } from './lib/torture/failover.ts';
import { torture } from './lib/torture/kills.ts';
import { isClean, showReports } from './lib/torture/outcome.ts';
import { PostgresCluster } from './lib/torture/postgres-cluster.ts';
import { soak } from './lib/torture/soak.ts';
import { runAll, SCENARIOS, thisMachine } from './lib/torture/suite.ts';

/**
 * `npm run torture`: SIGKILL at random moments of a sync, then the count. With `--all` every kind of fault, one after
 * another, and one table; `--only TEXT` only those whose name contains the text. With `--ha` SIGKILL strikes the
 * primary of a Postgres cluster under Patroni, on which the service runs as five processes; with `--soak MINUTES` that
 * cluster is kept under load and in trouble of every kind for so long. Exit code 0 only when every row is there once and
 * nothing got stuck.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    rows: { type: 'string' },
    seed: { type: 'string' },
    provider: { type: 'string', default: 'au_banking' },
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    ha: { type: 'boolean', default: false },
    soak: { type: 'string' },
    syncs: { type: 'string' },
    events: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (values.ha || values.soak !== undefined) process.exit(await tortureCluster());
if (values.all || values.only !== undefined) process.exit(await tortureAll(values.only ?? '', values.json));
if (!isTortured(values.provider)) {
  process.stderr.write(`--provider takes ${Object.keys(TORTURED).join(', ')}.\n`);
  process.exit(2);
}
const options = {
  provider: values.provider,
  kills: wholeNumber('kills', values.kills, 50, 0),
  rows: wholeNumber('rows', values.rows, 20_000, 1),
  seed: wholeNumber('seed', values.seed, Math.floor(Math.random() * 1_000_000_000), 0),
};
const progress = new Progress(process.stderr);
progress.step(`Seed ${options.seed}: ${options.kills} kills during a sync of ${options.rows} rows`);
const database = await createServerDatabase();
try {
  const result = await torture({
    ...options,
    databaseUrl: database?.url ?? null,
    onProgress: (text) => progress.update(text),
  });
  progress.done();
  const shown = Object.entries(result).map(([name, value]): [string, string] => [
    name.replaceAll('_', ' '),
    String(value),
  ]);
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${pairs(shown)}\n`);
  process.exitCode = result.ok ? 0 : 1;
} finally {
  await database?.drop();
}

async function tortureAll(only: string, json: boolean): Promise<number> {
  const shown = new Progress(process.stderr);
  const chosen = SCENARIOS.filter(({ name }) => name.includes(only));
  const reports = await runAll(chosen, thisMachine(), 1, (text) => shown.step(text));
  shown.done();
  process.stdout.write(json ? `${JSON.stringify(reports)}\n` : `${showReports(reports)}\n`);
  return reports.length > 0 && reports.every(isClean) ? 0 : 1;
}

async function tortureCluster(): Promise<number> {
  const missing = PostgresCluster.missing();
  if (missing !== null) {
    process.stderr.write(`The cluster cannot be started; ${missing}.\n`);
    return 1;
  }
  const options = {
    kills: wholeNumber('kills', values.kills, 10, 1),
    syncs: wholeNumber('syncs', values.syncs, 40, 1),
    events: wholeNumber('events', values.events, 10_000, 1),
    rows: wholeNumber('rows', values.rows, 300, 1),
  };
  const minutes = values.soak === undefined ? null : wholeNumber('soak', values.soak, 60, 1);
  const shown = new Progress(process.stderr);
  shown.step('Starting Postgres, Patroni, etcd, HAProxy and PgBouncer');
  const cluster = await PostgresCluster.start();
  try {
    const onProgress = (text: string): void => shown.step(text);
    const reports =
      minutes === null
        ? await failover(cluster, { ...options, onProgress })
        : await soak(cluster, { minutes, onProgress });
    shown.done();
    process.stdout.write(values.json ? `${JSON.stringify(reports)}\n` : `${showReports(reports)}\n`);
    return reports.every(isClean) ? 0 : 1;
  } finally {
    await cluster.close();
  }
}
