import { build } from '../build.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { withBoundPort } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { serve } from '../serve.ts';
import type { Command } from './command.ts';
import { askServer } from './control/control-client.ts';
import { takeDataLock } from './data-lock.ts';
import { CommandFailure } from './failure.ts';
import { freePort } from './free-port.ts';

const LOCK_WAIT_MS = 10_000;
const RETRY_MS = 100;

/** Runs a command in the server of this data directory, or where none runs, on the storage itself. */
export async function runCommand(
  command: Command,
  args: unknown,
  config: Config,
  log: Log,
): Promise<unknown> {
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const answered = await askServer(config.dataDir, { command: command.name, args });
    if (answered !== null) return answered.result;
    // Postgres serves any number of processes; only the embedded database belongs to one at a time.
    if (config.databaseUrl !== null) return runHere(command, args, config, log);
    const lock = await takeDataLock(config.dataDir);
    if (lock !== null) {
      try {
        return await runHere(command, args, config, log);
      } finally {
        lock.release();
      }
    }
    if (performance.now() >= end) {
      throw new CommandFailure(
        `Another process is using the data directory ${config.dataDir} and does not answer. ` +
          'Wait for it to end, or stop it, and run the command again.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function runHere(command: Command, args: unknown, config: Config, log: Log): Promise<unknown> {
  const parts = { log, clock: systemClock };
  const signal = AbortSignal.timeout(120_000);
  if (!command.needsDoors) {
    const app = await build(config, parts);
    try {
      return await command.run({ app, url: null, signal }, args);
    } finally {
      await app.stop(0);
    }
  }
  const port = await freePort(config.host);
  const running = await serve(withBoundPort(config, port), parts);
  try {
    return await command.run({ app: running.app, url: running.url, signal }, args);
  } finally {
    await running.close();
  }
}
