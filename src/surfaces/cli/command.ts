import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { OperatorRecords } from '../../features/operator/account-records.ts';
import type { OperatorKeys } from '../../features/operator/apps.ts';
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

/** The dependencies of commands that need nothing of the service but its database: on account records, keys, the schema. */
export interface RecordParts {
  readonly operator: {
    readonly accounts: OperatorRecords;
    readonly apps: OperatorKeys;
    readonly storage: Pick<OperatorFeatures['storage'], 'kind' | 'pendingMigrations'>;
  };
  readonly services: Pick<Services, 'clock'>;
}

/** What such a command may use. */
export interface RecordContext {
  readonly app: RecordParts;
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
export interface Command<Context = CommandContext> {
  readonly name: string;
  /** Whether the hosted pages must be reachable while it runs. */
  readonly needsDoors: boolean;
  /** @throws CommandFailure with the usage exit code for arguments it does not understand */
  run(context: Context, args: unknown): Promise<unknown>;
  /** The result for a person. */
  show(result: unknown): string;
  /** For work in parts: the progress, if the command has to be called again; null once it is done. */
  again(result: unknown): string | null;
  /** What a person must know besides, for standard error; null if nothing. */
  warning(result: unknown): string | null;
  /** The exit code: 0, 1 if the result is that something is wrong, or 3 if there is a warning. */
  exitCode(result: unknown): number;
}

/** A command whose result can be used as well as shown. */
export interface TypedCommand<R, Context = CommandContext> extends Command<Context> {
  /** @throws CommandFailure for the response of another version of the service */
  parse(result: unknown): R;
}

/** What a shell gets of a result; formatted here so that a shell needs to load no command. */
export function outputOf(command: Omit<Command, 'run'>, result: unknown): CommandOutput {
  return {
    result,
    text: command.show(result),
    warning: command.warning(result),
    again: command.again(result),
    exit_code: command.exitCode(result),
  };
}

/** Combines a command with the schemas of its arguments and its result, which are both sent as JSON. */
export function command<A extends TSchema, R extends TSchema, Context = CommandContext>(definition: {
  readonly name: string;
  readonly needsDoors?: boolean;
  readonly args: A;
  readonly result: R;
  readonly run: (context: Context, args: Static<A>) => Promise<Static<R>>;
  readonly show: (result: Static<R>) => string;
  readonly again?: (result: Static<R>) => string | null;
  /** What the result is not complete in; null, the default, if it is. */
  readonly warning?: (result: Static<R>) => string | null;
  /** Whether the result is that something is wrong; default false. */
  readonly failed?: (result: Static<R>) => boolean;
}): TypedCommand<Static<R>, Context> {
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
    warning: (result) => definition.warning?.(parse(result)) ?? null,
    exitCode: (result) => {
      const parsed = parse(result);
      if (definition.failed?.(parsed) === true) return EXIT.failure;
      return (definition.warning?.(parsed) ?? null) === null ? EXIT.ok : EXIT.incomplete;
    },
  };
}

/** A refusal of a feature, with the command line option that was wrong. */
export function failureOf({ reason, input, message }: OperatorRefusal): CommandFailure {
  const option = input === null ? null : optionOf(input);
  return new CommandFailure(option === null ? message : `${option}: ${message}`, {
    exitCode: reason === 'input' ? EXIT.usage : EXIT.failure,
  });
}

function optionOf(argument: string): string | null {
  return argument === '' ? null : `--${argument.replaceAll('_', '-')}`;
}
