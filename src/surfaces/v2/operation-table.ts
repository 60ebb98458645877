import type { Operation } from './operation.ts';
import { accountRecordOperations } from './operations/account-record.ts';
import { accountOperations } from './operations/accounts.ts';
import { apiKeyOperations } from './operations/api-keys.ts';
import { connectionOperations } from './operations/connections.ts';
import { consentOperations } from './operations/consents.ts';
import { institutionOperations } from './operations/institutions.ts';
import { linkSessionOperations } from './operations/link-sessions.ts';

/** Every operation of v2: routes, description, security tests and agents' tools all walk this table. */
export const OPERATIONS: readonly Operation[] = [
  ...accountRecordOperations,
  ...apiKeyOperations,
  ...institutionOperations,
  ...linkSessionOperations,
  ...connectionOperations,
  ...consentOperations,
  ...accountOperations,
];
