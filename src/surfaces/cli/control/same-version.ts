import { SOFTWARE_VERSION } from '../../../vocabulary/software-version.ts';
import { CommandFailure } from '../failure.ts';
import { askServer } from './control-client.ts';

/** Answers with the version of the server (commands/installation.ts). */
export const VERSION_COMMAND = 'version';

/** Commands about what a version knows of the database, which no server of another version can answer for this one. */
const OF_ONE_VERSION: ReadonlySet<string> = new Set(['inspect', 'keys rotate-encryption', 'migrate']);

/**
 * Asks the server of the data directory for its version before it is given a command that depends on it.
 * @throws CommandFailure with what to do if it has another
 */
export async function requireSameVersion(dataDir: string, command: string): Promise<void> {
  if (!OF_ONE_VERSION.has(command)) return;
  const running = await versionOfServer(dataDir);
  if (running === null || running === `version ${SOFTWARE_VERSION}`) return;
  throw new CommandFailure(
    `The server that runs on the data directory ${dataDir} is of ${running}, and this is version ${SOFTWARE_VERSION}. ` +
      'Restart the server with this version, which also brings the database up to date, or use the command line of the ' +
      'version that runs.',
  );
}

/** Null if no server is running. */
async function versionOfServer(dataDir: string): Promise<string | null> {
  try {
    const answer = await askServer(dataDir, { command: VERSION_COMMAND, args: {} });
    return answer === null ? null : answer.text;
  } catch (error) {
    // As version 1.0.0 answers.
    if (error instanceof CommandFailure && error.message.includes('does not know the command'))
      return 'an earlier version';
    throw error;
  }
}
