import type { Command, RecordContext } from './command.ts';

type Loader = () => Promise<Command<RecordContext>>;

/**
 * The commands that need nothing of the service but its database. Without a running server, one of these takes a third
 * of the time of one that builds the service first (docs/benchmarks.md). Each is loaded when it is given, while the
 * database opens.
 */
const RECORD_COMMANDS: Readonly<Record<string, Loader>> = {
  'account create': async () => (await import('./commands/account.ts')).accountCreate,
  'account update': async () => (await import('./commands/account.ts')).accountUpdate,
  'account list': async () => (await import('./commands/account.ts')).accountList,
  'key create': async () => (await import('./commands/key.ts')).keyCreate,
};

/** Their names, which bin/tributary.js lists as well. */
export const RECORD_COMMAND_NAMES: readonly string[] = Object.keys(RECORD_COMMANDS);

/** How to load the command with this name, if it is one of them; else null. */
export function recordCommand(name: string): Loader | null {
  return Object.hasOwn(RECORD_COMMANDS, name) ? (RECORD_COMMANDS[name] ?? null) : null;
}
