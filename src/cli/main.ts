import { CommanderError } from 'commander';
import { parseConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { COMMANDS } from './command-table.ts';
import { explain } from './explain.ts';
import { EXIT, usageFailure } from './failure.ts';
import { type Actions, exitCodeOf, programOf } from './program.ts';
import { standardError } from './standard-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the command line and returns its exit code: 0 done, 1 failed, 2 not understood. */
export async function main(argv: readonly string[], env: Environment): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = programOf(
    actionsOf(env, (code) => {
      exitCode = code;
    }),
  );
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error);
    const { message, exitCode: code } = explain(error);
    process.stderr.write(`${message}\n`);
    if (env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${stackOf(error)}\n`);
    return code;
  }
}

function actionsOf(env: Environment, exitWith: (code: number) => void): Actions {
  return {
    run: async (name, args, json) => {
      const command = COMMANDS.find((known) => known.name === name);
      if (command === undefined) throw usageFailure(`There is no command ${name}.`);
      const { runCommand } = await import('./run-command.ts');
      const config = parseConfig(env);
      // A command's own failures reach its caller; what the log adds of every day is noise at a shell.
      const level = env.LOG_LEVEL === undefined ? 'error' : config.logLevel;
      const result = await runCommand(
        command,
        args,
        config,
        createLog({ level, destination: standardError }),
      );
      process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${command.show(result)}\n`);
    },
    serve: async (roles, json) => {
      const { serveUntilStopped } = await import('./serve-command.ts');
      await serveUntilStopped(parseConfig(roles === undefined ? env : { ...env, ROLES: roles }), json);
    },
    doctor: async (json) => {
      const { doctor } = await import('./doctor/doctor.ts');
      exitWith(await doctor(env, json));
    },
    demo: async (options) => {
      const { demoCommand } = await import('./demo/demo-command.ts');
      exitWith(await demoCommand(options, env));
    },
  };
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
