import type { Integration } from '../app/integrations.ts';
import type { Config } from '../platform/config.ts';
import type { LogLevel } from '../platform/log-level.ts';
import { askServer } from './control/control-client.ts';
import type { CommandOutput } from './control/control-protocol.ts';
import { CommandFailure } from './failure.ts';

const LOCK_WAIT_MS = 10_000;
const RETRY_MS = 100;

/**
 * Runs a command in the server of this data directory, or where none runs, on the storage itself. Only the second
 * loads what the service is made of, which takes longer than most commands.
 * @throws CommandFailure with the message of the server, or when a process that does not answer has the data directory
 */
export async function runCommand(
  name: string,
  args: unknown,
  config: Config,
  logLevel: LogLevel,
  integrations: readonly Integration[],
): Promise<CommandOutput> {
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const answered = await askServer(config.dataDir, { command: name, args });
    if (answered !== null) return answered;
    const { runOnStorage } = await import('./run-on-storage.ts');
    const output = await runOnStorage(name, args, config, logLevel, integrations);
    if (output !== null) return output;
    if (performance.now() >= end) {
      throw new CommandFailure(
        `Another process is using the data directory ${config.dataDir} and does not answer. ` +
          'Wait for it to end, or stop it, and run the command again.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
