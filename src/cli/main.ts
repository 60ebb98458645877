import { CommanderError } from 'commander';
import type { Integration } from '../app/integrations.ts';
import { INTEGRATIONS } from '../app/integrations.ts';
import { readConfig } from '../app/read-config.ts';
import { boundHeapGrowth } from '../platform/heap.ts';
import { EXIT } from './failure.ts';
import { type Actions, exitCodeOf, type OutputStreams, programOf } from './program.ts';
import { runCommand } from './run-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PROCESS_STREAMS: OutputStreams = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

/**
 * Runs the command line and returns its exit code: 0 done, 1 failed, 2 not understood. What a command needs is loaded
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
    const { explain } = await import('./explain.ts');
    const { message, exitCode: code } = explain(error);
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
      // A command's own failures reach its caller; what the log adds of every day is noise at a shell.
      const level = env.LOG_LEVEL === undefined ? 'error' : config.logLevel;
      let output = await runCommand(name, args, config, level, integrations);
      while (output.again !== null) {
        streams.error(`${output.again}\n`);
        output = await runCommand(name, args, config, level, integrations);
      }
      streams.out(`${json ? JSON.stringify(output.result) : output.text}\n`);
      exitWith(output.exit_code);
    },
    serve: async (roles, json) => {
      boundHeapGrowth();
      const { serveUntilStopped } = await import('./serve-command.ts');
      const config = readConfig(roles === undefined ? env : { ...env, ROLES: roles }, integrations);
      await serveUntilStopped(config, json, integrations);
    },
    doctor: async (json) => {
      const { doctor } = await import('./doctor/doctor.ts');
      exitWith(await doctor(env, json, integrations, streams));
    },
    tail: async (options) => {
      const { tailEvents } = await import('./tail-events.ts');
      const config = readConfig(env, integrations);
      const ending = new AbortController();
      const end = (): void => ending.abort();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
      // The reader of what is printed has gone.
      process.stdout.once('error', end);
      const output = {
        print: (lines: string) => void process.stdout.write(`${lines}\n`),
        note: (message: string) => void process.stderr.write(`${message}\n`),
      };
      exitWith(await tailEvents(config.dataDir, options, output, ending.signal));
    },
    demo: async (options) => {
      const { demoCommand } = await import('./demo/demo-command.ts');
      exitWith(await demoCommand(options, env, integrations));
    },
  };
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
