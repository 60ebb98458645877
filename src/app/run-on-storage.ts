import { type Config, withBoundPort } from '../platform/config.ts';
import type { LogLevel } from '../platform/config-variables.ts';
import { takeDataLock } from '../platform/data-lock.ts';
import { freePort } from '../platform/free-port.ts';
import { createLog, standardError } from '../platform/log.ts';
import { type Command, type CommandContext, outputOf } from '../surfaces/cli/command.ts';
import { COMMANDS } from '../surfaces/cli/command-table.ts';
import { type CommandOutput, commandDeadline } from '../surfaces/cli/control/control-protocol.ts';
import { usageFailure } from '../surfaces/cli/failure.ts';
import { build } from './build.ts';
import type { Integration } from './integrations.ts';
import { openClock } from './sandbox-mode.ts';

/**
 * Runs a command on the storage itself, or returns null while another process has the embedded database.
 * @throws CommandFailure with the usage exit code when there is no such command
 */
export async function runOnStorage(
  name: string,
  args: unknown,
  config: Config,
  logLevel: LogLevel,
  integrations: readonly Integration[],
): Promise<CommandOutput | null> {
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) throw usageFailure(`Unknown command: ${name}.`);
  const lock = await takeDataLock(config.dataDir);
  // Postgres serves any number of processes; only the embedded database belongs to one at a time.
  if (lock === null && config.databaseUrl === null) return null;
  try {
    return await inService(command, config, logLevel, integrations, lock !== null, async (context) =>
      outputOf(command, await command.run(context, args)),
    );
  } finally {
    lock?.release();
  }
}

async function inService<T>(
  command: Command,
  config: Config,
  logLevel: LogLevel,
  integrations: readonly Integration[],
  hasLock: boolean,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const log = createLog({ level: logLevel, destination: standardError });
  const parts = {
    log,
    clock: await openClock(config, integrations),
    integrations,
    installation: { hasLock },
  };
  const signal = AbortSignal.timeout(commandDeadline(command.name));
  if (!command.needsDoors) {
    const app = await build(config, parts);
    try {
      return await work({ app, url: null, signal, hasLock });
    } finally {
      await app.stop(0);
    }
  }
  // Loading every surface takes time, and few commands are answered over HTTP.
  const { serve } = await import('./serve.ts');
  const port = await freePort(config.host);
  // The port for figures may belong to a server that runs already.
  const running = await serve({ ...withBoundPort(config, port), metrics: null }, parts);
  try {
    return await work({ app: running.app, url: running.url, signal, hasLock });
  } finally {
    await running.close();
  }
}
