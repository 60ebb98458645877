import type { Operation } from './operation.ts';
import { accountRecordOperations } from './operations/account-record.ts';
import { apiKeyOperations } from './operations/api-keys.ts';

/** Every operation of v2: routes, description, security tests and agents' tools all walk this table. */
export const OPERATIONS: readonly Operation[] = [...accountRecordOperations, ...apiKeyOperations];
