import type { Command, RecordContext } from './command.ts';

interface RecordCommand {
  readonly load: () => Promise<Command<RecordContext>>;
  /** Whether it asks the database a few things only, for which optimising it is not worth its while. */
  readonly isBrief: boolean;
}

/**
 * The commands that need nothing of the service but its database. Without a running server, one of these takes a third
 * of the time of one that builds the service first (docs/benchmarks.md), and neither Redis nor a simulator has to be
 * there. Each is loaded when it is given, while the database opens.
 */
const RECORD_COMMANDS: Readonly<Record<string, RecordCommand>> = {
  'account create': {
    load: async () => (await import('./commands/account.ts')).accountCreate,
    isBrief: true,
  },
  'account update': {
    load: async () => (await import('./commands/account.ts')).accountUpdate,
    isBrief: true,
  },
  'account list': { load: async () => (await import('./commands/account.ts')).accountList, isBrief: true },
  'key create': { load: async () => (await import('./commands/key.ts')).keyCreate, isBrief: true },
  migrate: { load: async () => (await import('./commands/installation.ts')).migrate, isBrief: false },
};

/** The names of the brief ones, which bin/tributary.js lists as well. */
export const BRIEF_COMMAND_NAMES: readonly string[] = Object.entries(RECORD_COMMANDS)
  .filter(([, { isBrief }]) => isBrief)
  .map(([name]) => name);

/** The command with this name, if it is one of them; else null. */
export function recordCommand(name: string): RecordCommand | null {
  return Object.hasOwn(RECORD_COMMANDS, name) ? (RECORD_COMMANDS[name] ?? null) : null;
}
