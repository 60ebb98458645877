import { OperatorRefusal } from '../../features/operator/refusal.ts';
import { type Restored, restoreBackup } from '../../features/operator/restore.ts';
import type { Config } from '../../platform/config.ts';
import { failureOf } from './command.ts';
import { CommandFailure } from './failure.ts';
import type { OutputStreams, RestoreArguments } from './program.ts';

/**
 * `tributary restore`: no command of a service, since none may be running.
 * @throws CommandFailure, and what opening the database of the backup raises
 */
export async function restore(
  config: Config,
  { json, ...options }: RestoreArguments,
  streams: OutputStreams,
  signal: AbortSignal,
): Promise<void> {
  const restored = await restoreBackup(config, options, signal).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason)
      throw new CommandFailure('The restore was stopped. Nothing was changed.');
    throw error instanceof OperatorRefusal ? failureOf(error) : error;
  });
  const { created, left, leftKey } = restored;
  streams.out(`${json ? JSON.stringify({ created, left, left_key: leftKey }) : shown(restored)}\n`);
}

function shown({ created, left, leftKey }: Restored): string {
  return [
    `The database of ${created.toISOString()} is in place.`,
    ...(left === null ? [] : [`The one that was there is in ${left}.`]),
    ...(leftKey === null
      ? []
      : [`The key file that was there is ${leftKey}: keep it as long as that database.`]),
    'Keys, sessions and members that were revoked since then are valid again: revoke them again.',
  ].join('\n');
}
