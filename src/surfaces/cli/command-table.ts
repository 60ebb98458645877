import { type Command, type CommandContext, outputOf } from './command.ts';
import { accountCreate, accountDelete, accountList, accountUpdate } from './commands/account.ts';
import { appList, appRename, appRevoke, appUpdate, setupTokenCreate } from './commands/app.ts';
import { eventsTail } from './commands/events-tail.ts';
import {
  backup,
  inspect,
  keysRotateEncryption,
  migrate,
  moveToPostgres,
  version,
} from './commands/installation.ts';
import { keyCreate } from './commands/key.ts';
import { link } from './commands/link.ts';
import {
  accountInvite,
  accountMembers,
  accountOperator,
  accountRemoveMember,
  accountRemoveSecondFactor,
  accountResetPassword,
} from './commands/people.ts';
import { sandboxClock, sandboxFault, sandboxInstitution, sandboxRow } from './commands/sandbox.ts';
import { exportRows, verify } from './commands/sync.ts';
import type { ControlAnswer, ControlRequest } from './control/control-protocol.ts';
import { explain } from './explain.ts';

/** Every command that works on a service, whether through its control socket or on its storage. */
export const COMMANDS: readonly Command[] = [
  accountCreate,
  accountUpdate,
  accountList,
  accountResetPassword,
  accountInvite,
  accountMembers,
  accountRemoveMember,
  accountRemoveSecondFactor,
  accountDelete,
  accountOperator,
  keyCreate,
  setupTokenCreate,
  appList,
  appRename,
  appUpdate,
  appRevoke,
  backup,
  keysRotateEncryption,
  eventsTail,
  exportRows,
  inspect,
  link,
  migrate,
  moveToPostgres,
  sandboxClock,
  sandboxFault,
  sandboxInstitution,
  sandboxRow,
  verify,
  version,
];

/** Runs a command received over the control socket; every failure becomes a response. */
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
