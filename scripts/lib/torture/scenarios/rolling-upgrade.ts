import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../../../src/platform/free-port.ts';
import { createServerDatabase } from '../../../../test/support/database.ts';
import { ServiceChild } from '../../service-child.ts';
import type { Outcome, Scenario } from '../outcome.ts';
import type { RowReceiver } from '../row-receiver.ts';
import { Stage } from '../stage.ts';
import { Asking, ask, deliveries, secondsUntil, succeeds } from '../watch.ts';

const HERE = fileURLToPath(new URL('../../../../', import.meta.url));
const LAUNCHER = 'bin/tributary.js';
/** What a service needs of a checkout, apart from its packages. */
const PARTS = ['bin', 'src', 'sandbox', 'packages', 'web', 'docs', 'package.json'];
const LATER_MIGRATION = '9999-rolling-upgrade';

/**
 * A newer version starts on the database of two processes of an older one, which work on, and are then replaced one
 * after the other. The older version is the checkout or package that EARLIER_VERSION names; without it, both are this
 * checkout, and the newer one has one more migration.
 */
export const rollingUpgrade: Scenario = {
  name: 'rolling upgrade',
  missing: ({ postgresUrl }) => (postgresUrl === null ? 'DATABASE_URL is not set' : null),
  run: async ({ earlierVersion }, scale) => {
    await using opened = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'tributary-upgrade-'));
    opened.defer(() => rm(directory, { recursive: true, force: true }));
    const older = earlierVersion === null ? HERE : await unpacked(earlierVersion, directory);
    const newer = earlierVersion === null ? await withLaterMigration(join(directory, 'newer')) : HERE;
    const database = await createServerDatabase();
    opened.defer(async () => void (await database?.drop()));
    return await upgrade(older, newer, database?.url ?? null, Math.ceil(3000 * scale));
  },
};

async function upgrade(
  older: string,
  newer: string,
  databaseUrl: string | null,
  rows: number,
): Promise<Outcome> {
  await using opened = new AsyncDisposableStack();
  const stage = await Stage.open({ databaseUrl, main: join(older, LAUNCHER) });
  opened.defer(() => stage.close());
  const start = async (version: string, roles: string): Promise<ServiceChild> => {
    const { settings } = stage;
    const env = { ...settings.env, ROLES: roles };
    const port = await freePort('127.0.0.1');
    const service = new ServiceChild({ ...settings, env, port, main: join(version, LAUNCHER) });
    opened.defer(() => service.kill());
    service.launch();
    await service.ready();
    return service;
  };
  const owner = await stage.owner();
  const receivers: RowReceiver[] = [];
  /** Each has its own receiver; resolves once it is under way. */
  const begin = async (more: number): Promise<string> => {
    const receiver = await stage.receiver();
    receivers.push(receiver);
    receiver.delayMs = 50;
    const sync = await stage.sync(owner, await stage.link(owner, `rows:${rows + more}`), receiver);
    await deliveries(receiver, 3);
    return sync;
  };
  const worker = await start(older, 'worker');
  const first = await begin(0);
  const asking = new Asking(owner, '/v2/syncs');

  // It has no worker, so what is delivered now is delivered by the older version.
  await start(newer, 'api');
  const refusal = await start(older, 'worker').then(
    () => null,
    (error: Error) => error.message,
  );
  const second = await begin(1);
  const goesOn = (await succeeds(owner, first)) && (await succeeds(owner, second));

  const third = await begin(2);
  await asking.stop();
  const replaced = [await worker.stop(), await stage.service.stop()];
  const successor = await start(newer, 'api,worker,scheduler');
  const client = stage.client(successor);
  const recovered = await secondsUntil(60_000, async () => (await ask(client, 'GET', '/v2/syncs')) === 200);
  const done = await succeeds(client, third);
  const refuses = refusal === null || /changed by a newer version/.test(refusal);
  return {
    faults: 1,
    lost: 3 * rows + 3 - receivers.reduce((sum, receiver) => sum + receiver.rows.size, 0),
    doubled: receivers.reduce((sum, { duplicates }) => sum + duplicates, 0),
    stuck: [goesOn, done, refuses, recovered !== null, replaced.every((code) => code === 0)].filter(
      (is) => !is,
    ).length,
    errors: asking.errors,
    recoverySeconds: recovered ?? 60,
    remarks: [
      asking.answers(),
      `an older process that starts then ${refusal === null ? 'works' : 'refuses'}`,
    ],
  };
}

/** The directory of an older version: a checkout or an unpacked package, or one that `npm pack` made. */
async function unpacked(path: string, directory: string): Promise<string> {
  if ((await stat(path)).isDirectory()) return path;
  await promisify(execFile)('tar', ['--extract', '--gzip', '--file', path, '--directory', directory]);
  const unpackedTo = join(directory, 'package');
  await symlink(join(HERE, 'node_modules'), join(unpackedTo, 'node_modules'));
  return unpackedTo;
}

/** A copy of this checkout with one more migration, which only adds a column that older code does not know. */
async function withLaterMigration(copy: string): Promise<string> {
  for (const part of PARTS) {
    const filter = (source: string): boolean => !relative(HERE, source).includes('node_modules');
    await cp(join(HERE, part), join(copy, part), { recursive: true, filter });
  }
  await symlink(join(HERE, 'node_modules'), join(copy, 'node_modules'));
  const storage = join(copy, 'src/storage');
  await writeFile(
    join(storage, 'migrations', `${LATER_MIGRATION}.ts`),
    `import { type Kysely, sql } from 'kysely';
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table syncs add column rolling_upgrade text\`.execute(db);
}
`,
  );
  const migrator = join(storage, 'migrator.ts');
  const text = await readFile(migrator, 'utf8');
  const changed = text
    .replace(
      /^import \{[^}]*\bapplyChanges\b/m,
      `import * as later from './migrations/${LATER_MIGRATION}.ts';\n$&`,
    )
    .replace(/^\};$/m, `  '${LATER_MIGRATION}': later,\n};`);
  await writeFile(migrator, changed);
  return copy;
}
