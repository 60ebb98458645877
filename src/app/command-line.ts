import { CommanderError } from 'commander';
import type { Config } from '../platform/config.ts';
import type { LogLevel } from '../platform/config-variables.ts';
import { boundHeapGrowth } from '../platform/heap.ts';
import { askServer } from '../surfaces/cli/control/control-client.ts';
import type { CommandOutput } from '../surfaces/cli/control/control-protocol.ts';
import { requireSameVersion } from '../surfaces/cli/control/same-version.ts';
import type { DoctorTools } from '../surfaces/cli/doctor.ts';
import { CommandFailure, EXIT } from '../surfaces/cli/failure.ts';
import { type Actions, exitCodeOf, type OutputStreams, programOf } from '../surfaces/cli/program.ts';
import { INTEGRATIONS, type Integration } from './integrations.ts';
import { readConfig } from './read-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PROCESS_STREAMS: OutputStreams = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

/**
 * Runs the command line and returns its exit code: 0 success, 1 failure, 2 usage error. What a command needs is loaded
 * when that command is given: the service takes a second to load, and asking a running one needs none of it.
 */
export async function main(
  argv: readonly string[],
  env: Environment,
  integrations: readonly Integration[] = INTEGRATIONS,
  streams: OutputStreams = PROCESS_STREAMS,
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = programOf(
    actionsOf(env, integrations, streams, (code) => {
      exitCode = code;
    }),
    integrations,
    streams,
  );
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error);
    const { explain } = await import('../surfaces/cli/explain.ts');
    const { message, exitCode: code } = explain(error, argv[0] === 'serve');
    streams.error(`${message}\n`);
    if (env.LOG_LEVEL === 'debug' && error instanceof Error) streams.error(`${stackOf(error)}\n`);
    return code;
  }
}

function actionsOf(
  env: Environment,
  integrations: readonly Integration[],
  streams: OutputStreams,
  exitWith: (code: number) => void,
): Actions {
  return {
    run: async (name, args, json) => {
      const config = readConfig(env, integrations);
      // The command reports its own failures to its caller; informational log lines would be noise in a shell.
      const level = env.LOG_LEVEL === undefined ? 'error' : config.logLevel;
      let output = await runCommand(name, args, config, level, integrations);
      while (output.again !== null) {
        streams.error(`${output.again}\n`);
        output = await runCommand(name, args, config, level, integrations);
      }
      if (name === 'backup') {
        const { requireBackupHere } = await import('../surfaces/cli/commands/installation.ts');
        await requireBackupHere(output.result);
      }
      streams.out(`${json ? JSON.stringify(output.result) : output.text}\n`);
      if (output.warning !== null) streams.error(`${output.warning}\n`);
      exitWith(output.exit_code);
    },
    serve: async (roles, json) => {
      boundHeapGrowth();
      const { serveUntilStopped } = await import('./installation.ts');
      const config = readConfig(roles === undefined ? env : { ...env, ROLES: roles }, integrations);
      await serveUntilStopped(config, json, integrations);
    },
    doctor: async (options) => {
      const { doctor } = await import('../surfaces/cli/doctor.ts');
      exitWith(await doctor(doctorTools(env, integrations), options, streams));
    },
    restore: async (options) => {
      const { restore } = await import('../surfaces/cli/restore.ts');
      const config = readConfig(env, integrations);
      await untilStopped((signal) => restore(config, options, streams, signal));
    },
    tail: async (options) => {
      const { tailEvents } = await import('../surfaces/cli/tail-events.ts');
      const config = readConfig(env, integrations);
      const output = {
        print: (lines: string) => void process.stdout.write(`${lines}\n`),
        note: (message: string) => void process.stderr.write(`${message}\n`),
      };
      exitWith(await untilStopped((signal) => tailEvents(config.dataDir, options, output, signal)));
    },
    documents: async (options) => {
      const { takeDocuments } = await import('../surfaces/cli/client/documents.ts');
      const output = {
        print: (lines: string) => streams.out(`${lines}\n`),
        note: (message: string) => streams.error(`${message}\n`),
      };
      exitWith(await untilStopped((signal) => takeDocuments(options, env, output, signal)));
    },
    demo: async (options) => {
      const { demoCommand } = await import('./demo/demo-command.ts');
      exitWith(await demoCommand(options, env, integrations));
    },
  };
}

/** Does work that ends when the process is signalled to stop, or the reader of its output has closed the pipe. */
async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, end);
  process.stdout.once('error', end);
  try {
    return await work(ending.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
    process.stdout.off('error', end);
  }
}

/** For `doctor`, whose findings are its output: nothing else is logged. */
export function doctorTools(
  env: Environment,
  integrations: readonly Integration[] = INTEGRATIONS,
): DoctorTools {
  return {
    env,
    integrations: integrations.map(({ row }) => row),
    readConfig: () => readConfig(env, integrations),
    run: (command, config) => runCommand(command, {}, config, 'silent', integrations),
  };
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

const LOCK_WAIT_MS = 10_000;
const RETRY_MS = 100;

/**
 * Runs a command in the server of this data directory or, if none is running, on the storage directly. Only the second
 * loads what the service is made of, which takes longer than most commands.
 * @throws CommandFailure with the message of the server, if it is of another version and the command depends on that, or
 * if a process that does not respond holds the lock of the data directory
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
    // On Postgres, the server that would answer may be of the version that is being replaced.
    if (name !== 'migrate' || config.databaseUrl === null) {
      await requireSameVersion(config.dataDir, name);
      const answered = await askServer(config.dataDir, { command: name, args });
      if (answered !== null) return answered;
    }
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
