import type { Command } from './command.ts';
import { accountCreate, accountDelete, accountList, accountUpdate } from './commands/account.ts';
import { appList, appRename, appRevoke, appUpdate } from './commands/app.ts';
import { eventsTail } from './commands/events-tail.ts';
import { exportRows } from './commands/export.ts';
import { inspect } from './commands/inspect.ts';
import { keyCreate } from './commands/key.ts';
import { keysRotateEncryption } from './commands/keys.ts';
import { link } from './commands/link.ts';
import {
  accountInvite,
  accountMembers,
  accountRemoveMember,
  accountRemoveSecondFactor,
  accountResetPassword,
} from './commands/members.ts';
import { migrate } from './commands/migrate.ts';
import { moveToPostgres } from './commands/move-to-postgres.ts';
import { accountOperator } from './commands/operators.ts';
import { sandboxClock } from './commands/sandbox-clock.ts';
import { sandboxFault } from './commands/sandbox-fault.ts';
import { sandboxInstitution } from './commands/sandbox-institution.ts';
import { sandboxRow } from './commands/sandbox-row.ts';
import { setupTokenCreate } from './commands/setup-token.ts';
import { verify } from './commands/verify.ts';

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
];
