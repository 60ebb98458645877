import { resolve } from 'node:path';
import { Periodic } from '../background/periodic.ts';
import { followSandboxClock } from '../features/operator/sandbox-clock.ts';
import { ShiftedClock } from '../platform/clock.ts';
import { type Config, withBoundPort } from '../platform/config.ts';
import { type DataLock, takeDataLock, waitForDataLock } from '../platform/data-lock.ts';
import { freePort } from '../platform/free-port.ts';
import { createLog, type Log, standardError } from '../platform/log.ts';
import { isServed } from '../surfaces/cli/control/control-client.ts';
import { prepareControlPath, removeControlPath } from '../surfaces/cli/control/control-path.ts';
import { type ControlServer, serveControl } from '../surfaces/cli/control/control-server.ts';
import { CommandFailure } from '../surfaces/cli/failure.ts';
import { type Welcome, welcomeText } from '../surfaces/cli/welcome.ts';
import { publicId } from '../vocabulary/ids.ts';
import { EarlyDatabase } from './early-database.ts';
import { INTEGRATIONS, type Integration, providersOf } from './integrations.ts';
import { openClock } from './sandbox-mode.ts';
import type { Running } from './serve.ts';

/** A short command may hold the lock when a server starts. */
const LOCK_WAIT_MS = 5_000;

/** The service as the `serve` command runs it: with the data directory's lock and its control socket. */
export interface ServedInstallation {
  readonly running: Running;
  readonly welcome: Welcome;
  close(): Promise<void>;
}

/**
 * @param terminal whether output goes to a terminal and is not stored: secrets are shown only then
 * @throws CommandFailure if another server uses the embedded database of this data directory
 */
export async function serveInstallation(
  config: Config,
  log: Log,
  terminal: boolean,
  integrations: readonly Integration[] = INTEGRATIONS,
): Promise<ServedInstallation> {
  let lock = await dataLock(config);
  const database = EarlyDatabase.begin(config, log);
  let running: Running | null = null;
  let control: ControlServer | null = null;
  const periodic: Periodic[] = [];
  const stopping = new AbortController();
  const close = async (): Promise<void> => {
    stopping.abort(new CommandFailure('The server is stopping. Run the command again once it is back.'));
    for (const work of periodic) await work.stop();
    await control?.close();
    await running?.close();
    await database?.abandon();
    if (lock !== null) {
      await removeControlPath(config.dataDir);
      lock.release();
    }
  };
  try {
    const known = config.port === 0 ? withBoundPort(config, await freePort(config.host)) : config;
    const clock = await openClock(known, integrations);
    const installation = { hasLock: lock !== null };
    // Loaded here, while the database opens: it is most of the program.
    const { serve } = await import('./serve.ts');
    const { executeHere } = await import('../surfaces/cli/command-table.ts');
    running = await serve(known, { log, clock, integrations, installation, database });
    const { app, url } = running;
    const { tracing } = app;
    const { signal } = stopping;
    const openControl = async (): Promise<ControlServer> =>
      serveControl(await prepareControlPath(config.dataDir), (request) =>
        executeHere({ app, url, signal, hasLock: true }, request),
      );
    if (lock !== null) control = await openControl();
    if (config.databaseUrl !== null) {
      const takeOver = async (): Promise<void> => {
        if (lock !== null || !mayTakeLock(config)) return;
        const taken = await takeDataLock(config.dataDir);
        if (taken === null) return;
        try {
          await app.sandbox?.takeOver();
          control = await openControl();
          lock = taken;
          log.info('This process answers commands now, in place of one that has ended.', {});
        } finally {
          if (lock === null) taken.release();
        }
      };
      periodic.push(new Periodic({ clock, log, tracing }, 'lock of the data directory', takeOver));
      if (clock instanceof ShiftedClock) {
        const follow = (): Promise<void> => followSandboxClock(config, clock);
        periodic.push(new Periodic({ clock, log, tracing }, 'clock of the sandbox', follow));
      }
    }
    const { firstStart, accounts } = app.operator;
    const first = await firstStart.account(terminal);
    const firstRun = await firstStart.link(terminal);
    periodic.push(new Periodic({ clock, log, tracing }, 'files of the first start', () => firstStart.tidy()));
    for (const work of periodic) work.start();
    const records = await accounts.list(1);
    const welcome: Welcome = {
      url: known.publicUrl,
      appUrl: known.appUrl,
      sandbox: config.sandbox,
      linkable: providersOf(app.placed).find(({ at }) => at === 'simulator')?.row.name ?? null,
      dataDir: resolve(config.dataDir),
      first,
      firstRun,
      accounts: records.map((record) => publicId('account_record', record.id)),
    };
    return { running, welcome, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The embedded database requires the lock. On Postgres, several processes may share a data directory: the one with the
 * lock answers commands and serves the simulators, and another one takes over from it.
 */
async function dataLock(config: Config): Promise<DataLock | null> {
  if (!mayTakeLock(config)) return null;
  const { dataDir } = config;
  const waitMs = config.databaseUrl === null ? LOCK_WAIT_MS : 0;
  const lock = await waitForDataLock(dataDir, waitMs, () => isServed(dataDir));
  if (lock === null && config.databaseUrl === null) {
    throw new CommandFailure(
      `Tributary is already running on the data directory ${resolve(dataDir)}. ` +
        'Stop that process first, or give this one a different DATA_DIR.',
    );
  }
  return lock;
}

/** Commands need the pages and surfaces of the API. */
function mayTakeLock({ databaseUrl, roles }: Config): boolean {
  return databaseUrl === null || roles.includes('api');
}

/** `serve`: runs until it receives a signal. */
export async function serveUntilStopped(
  config: Config,
  json: boolean,
  integrations: readonly Integration[] = INTEGRATIONS,
): Promise<void> {
  // With --json, standard output contains only the result, so the log goes to standard error.
  const log = createLog({ level: config.logLevel, ...(json ? { destination: standardError } : {}) });
  const stopping = new Promise<NodeJS.Signals>((done) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, done);
  });
  const failed = failing();
  const served = await Promise.race([
    serveInstallation(config, log, process.stdout.isTTY === true, integrations),
    failed.then(({ error }) => {
      throw error;
    }),
  ]);
  const { welcome } = served;
  process.stdout.write(json ? `${JSON.stringify(startedResult(welcome))}\n` : welcomeText(welcome));
  const reason = await Promise.race([stopping, failed]);
  const orderly = typeof reason === 'string';
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  if (orderly) log.info('Stopping: finishing work in progress.', { signal: reason });
  else log.error('Stopping: unhandled error.', {}, reason.error);
  const ended = await withDeadline(served.close(), (config.shutdownSeconds + 5) * 1000);
  if (!ended) log.error('Some work did not finish in time; it resumes at the next start.', {});
  process.exit(orderly && ended ? 0 : 1);
}

/** Resolves with the first unhandled error, after which the state of the process is unknown. */
function failing(): Promise<{ readonly error: unknown }> {
  return new Promise((done) => {
    process.once('uncaughtException', (error) => done({ error }));
    process.once('unhandledRejection', (error) => done({ error }));
  });
}

function startedResult({ url, first, firstRun }: Welcome) {
  const { account = null, secret = null, file = null } = first ?? {};
  return {
    url,
    account,
    api_key: secret,
    api_key_file: file,
    first_run_url: firstRun?.url ?? null,
    first_run_file: firstRun?.file ?? null,
  };
}

async function withDeadline(work: Promise<void>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(done, deadlineMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
