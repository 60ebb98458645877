import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { OperatorFeatures } from '../../features/operator/create-operator.ts';
import { OperatorRefusal } from '../../features/operator/refusal.ts';
import type { Services } from '../../operations/services.ts';
import type { Config } from '../../platform/config.ts';
import type { Log } from '../../platform/log.ts';
import type { CommandOutput } from './control/control-protocol.ts';
import { CommandFailure, EXIT, usageFailure } from './failure.ts';
import type { OfferedIntegration } from './simulated-integrations.ts';

/** The dependencies of commands, in whichever process they run. */
export interface CommandParts {
  readonly operator: OperatorFeatures;
  readonly services: Services;
  readonly config: Config;
  readonly log: Log;
  readonly integrations: readonly OfferedIntegration[];
}

/** What a command may use, whether it runs inside a server or on its own. */
export interface CommandContext {
  readonly app: CommandParts;
  /** Where the surfaces of this process answer over HTTP; null when no server is running in it. */
  readonly url: string | null;
  readonly signal: AbortSignal;
  /** Whether this process has the lock of the data directory; default false. */
  readonly hasLock?: boolean;
}

/**
 * A command that works on the service: one function, called by the server on behalf of a shell or by the shell itself.
 */
export interface Command {
  readonly name: string;
  /** Whether the hosted pages must be reachable while it runs. */
  readonly needsDoors: boolean;
  /** @throws CommandFailure with the usage exit code for arguments it does not understand */
  run(context: CommandContext, args: unknown): Promise<unknown>;
  /** The result for a person. */
  show(result: unknown): string;
  /** For work in parts: the progress, if the command has to be called again; null once it is done. */
  again(result: unknown): string | null;
  /** The exit code: 0, or 1 if the result is that something is wrong. */
  exitCode(result: unknown): number;
}

/** A command whose result can be used as well as shown. */
export interface TypedCommand<R> extends Command {
  /** @throws CommandFailure for the response of another version of the service */
  parse(result: unknown): R;
}

/** What a shell gets of a result; formatted here so that a shell needs to load no command. */
export function outputOf(command: Command, result: unknown): CommandOutput {
  return {
    result,
    text: command.show(result),
    again: command.again(result),
    exit_code: command.exitCode(result),
  };
}

/** Combines a command with the schemas of its arguments and its result, which are both sent as JSON. */
export function command<A extends TSchema, R extends TSchema>(definition: {
  readonly name: string;
  readonly needsDoors?: boolean;
  readonly args: A;
  readonly result: R;
  readonly run: (context: CommandContext, args: Static<A>) => Promise<Static<R>>;
  readonly show: (result: Static<R>) => string;
  readonly again?: (result: Static<R>) => string | null;
  /** Whether the result is that something is wrong; default false. */
  readonly failed?: (result: Static<R>) => boolean;
}): TypedCommand<Static<R>> {
  const { name, args: argsSchema, result: resultSchema } = definition;
  const parse = (result: unknown): Static<R> => {
    if (Value.Check(resultSchema, result)) return result;
    throw new CommandFailure(
      `The running server answered ${name} in a format this version does not know. Restart it with this version.`,
    );
  };
  return {
    name,
    needsDoors: definition.needsDoors ?? false,
    run: async (context, args) => {
      if (Value.Check(argsSchema, args)) {
        return definition.run(context, args).catch((error: unknown) => {
          throw error instanceof OperatorRefusal ? failureOf(error) : error;
        });
      }
      const [problem] = Value.Errors(argsSchema, args);
      const where = optionOf(problem?.instancePath.replace(/^\//, '') ?? '') ?? name;
      throw usageFailure(
        `${where} ${problem?.message ?? 'is not understood'}. See: tributary ${name} --help`,
      );
    },
    parse,
    show: (result) => definition.show(parse(result)),
    again: (result) => definition.again?.(parse(result)) ?? null,
    exitCode: (result) => (definition.failed?.(parse(result)) === true ? EXIT.failure : EXIT.ok),
  };
}

/** A refusal of a feature, with the command line option that was wrong. */
function failureOf({ reason, input, message }: OperatorRefusal): CommandFailure {
  const option = input === null ? null : optionOf(input);
  return new CommandFailure(option === null ? message : `${option}: ${message}`, {
    exitCode: reason === 'input' ? EXIT.usage : EXIT.failure,
  });
}

function optionOf(argument: string): string | null {
  return argument === '' ? null : `--${argument.replaceAll('_', '-')}`;
}
