import type { CommandContext } from './command.ts';
import { COMMANDS } from './command-table.ts';
import type { ControlAnswer, ControlRequest } from './control/control-protocol.ts';
import { explain } from './explain.ts';

/** Runs what came over the control socket; every failure becomes an answer. */
export async function executeHere(
  context: CommandContext,
  { command: name, args }: ControlRequest,
): Promise<ControlAnswer> {
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) {
    return {
      ok: false,
      message: `The running server knows no command "${name}". Restart it with the version you call it with.`,
      exit_code: 1,
    };
  }
  try {
    return { ok: true, result: await command.run(context, args) };
  } catch (error) {
    context.app.log.debug('A command over the control socket failed.', { command: name }, error);
    const { message, exitCode } = explain(error);
    return { ok: false, message, exit_code: exitCode };
  }
}
