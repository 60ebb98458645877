import { type Config, withBoundPort } from '../platform/config.ts';
import type { LogLevel } from '../platform/config-variables.ts';
import { takeDataLock } from '../platform/data-lock.ts';
import { freePort } from '../platform/free-port.ts';
import { createLog, type Log, standardError } from '../platform/log.ts';
import type { Command, CommandContext, RecordParts } from '../surfaces/cli/command.ts';
import { type CommandOutput, commandDeadline } from '../surfaces/cli/control/control-protocol.ts';
import { usageFailure } from '../surfaces/cli/failure.ts';
import { recordCommand } from '../surfaces/cli/record-commands.ts';
import { EarlyDatabase } from './early-database.ts';
import type { Integration } from './integrations.ts';

/** How a command is run without a server. */
interface Run {
  readonly config: Config;
  readonly log: Log;
  readonly integrations: readonly Integration[];
  readonly hasLock: boolean;
  /** Null if the database is a Postgres server. */
  readonly database: EarlyDatabase | null;
}

/**
 * Runs a command on the storage directly, or returns null if another process uses the embedded database. The database
 * opens while what the command needs is loaded.
 * @throws CommandFailure with the exit code for usage errors if there is no such command
 */
export async function runOnStorage(
  name: string,
  args: unknown,
  config: Config,
  logLevel: LogLevel,
  integrations: readonly Integration[],
): Promise<CommandOutput | null> {
  const lock = await takeDataLock(config.dataDir);
  // Postgres serves any number of processes; the embedded database only one at a time.
  if (lock === null && config.databaseUrl === null) return null;
  const log = createLog({ level: logLevel, destination: standardError });
  const database = EarlyDatabase.begin(config, log, recordCommand(name)?.isBrief ?? false);
  try {
    return await outputOn({ config, log, integrations, hasLock: lock !== null, database }, name, args);
  } finally {
    await database?.abandon();
    lock?.release();
  }
}

async function outputOn(run: Run, name: string, args: unknown): Promise<CommandOutput> {
  const { outputOf } = await import('../surfaces/cli/command.ts');
  const ofRecords = recordCommand(name);
  if (ofRecords !== null) {
    const command = await ofRecords.load();
    return onRecords(run, async (app) => outputOf(command, await command.run({ app }, args)));
  }
  const { COMMANDS } = await import('../surfaces/cli/command-table.ts');
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) throw usageFailure(`Unknown command: ${name}.`);
  return inService(command, run, async (context) => outputOf(command, await command.run(context, args)));
}

async function onRecords<T>(run: Run, work: (app: RecordParts) => Promise<T>): Promise<T> {
  const { openRecords } = await import('./open-records.ts');
  const records = await openRecords(run);
  try {
    return await work(records.app);
  } finally {
    await records.close();
  }
}

async function inService<T>(
  command: Command,
  { config, log, integrations, hasLock, database }: Run,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const { openClock } = await import('./sandbox-mode.ts');
  const parts = {
    log,
    clock: await openClock(config, integrations),
    integrations,
    installation: { hasLock },
    database,
  };
  const signal = AbortSignal.timeout(commandDeadline(command.name));
  if (!command.needsDoors) {
    const { build } = await import('./build.ts');
    const app = await build(config, parts);
    try {
      return await work({ app, url: null, signal, hasLock });
    } finally {
      await app.stop(0);
    }
  }
  // Loading every surface takes time, and few commands use HTTP.
  const { serve } = await import('./serve.ts');
  const port = await freePort(config.host);
  // The metrics port may be in use by a running server.
  const running = await serve({ ...withBoundPort(config, port), metrics: null }, parts);
  try {
    return await work({ app: running.app, url: running.url, signal, hasLock });
  } finally {
    await running.close();
  }
}
