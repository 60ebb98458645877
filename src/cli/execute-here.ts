import { type CommandContext, outputOf } from './command.ts';
import { COMMANDS } from './command-table.ts';
import type { ControlAnswer, ControlRequest } from './control/control-protocol.ts';
import { explain } from './explain.ts';

/** Runs what was asked over the control socket; every failure becomes an answer. */
export async function executeHere(
  context: CommandContext,
  { command: name, args }: ControlRequest,
): Promise<ControlAnswer> {
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) {
    return {
      ok: false,
      message: `The running server does not know the command "${name}". Restart it with the version of this command line.`,
      exit_code: 1,
    };
  }
  try {
    const result = await command.run(context, args);
    return { ok: true, ...outputOf(command, result) };
  } catch (error) {
    context.app.log.debug('A command over the control socket failed.', { command: name }, error);
    const { message, exitCode } = explain(error);
    return { ok: false, message, exit_code: exitCode };
  }
}
