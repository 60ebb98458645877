/**
 * What a shell sees of a command. `incomplete`: it is done, except for what it warns of. `refused`: a start that fails
 * in the same way until a person changes the configuration, the key or the database; the unit does not repeat it.
 */
export const EXIT = { ok: 0, failure: 1, usage: 2, incomplete: 3, refused: 4 } as const;

/** A command could not do its work; the message says what happened, to what, and what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}

/** The command was called in a way it does not understand. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, { exitCode: EXIT.usage });
}
