import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { EventTrigger } from '../events/event-trigger.ts';
import type { AuthAttempts } from '../rate-limits/auth-attempts.ts';
import { AccountRecords } from './account-records.ts';
import { ApiKeyAuthenticator } from './api-key-authenticator.ts';
import { ApiKeys } from './api-keys.ts';
import { Authentication } from './authentication.ts';

export interface AccessOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly notices: Notices;
  readonly events: EventTrigger;
  readonly attempts: AuthAttempts;
}

/** Who may use the service, and how much of it: account records, their plans and limits, API keys, authentication. */
export interface Access {
  readonly accountRecords: AccountRecords;
  readonly apiKeys: ApiKeys;
  readonly apiKeyAuthenticator: ApiKeyAuthenticator;
  /** Of every surface that takes API keys and nothing else. */
  readonly authentication: Authentication;
}

export function createAccess(options: AccessOptions): Access {
  const apiKeyAuthenticator = new ApiKeyAuthenticator(options);
  const { attempts } = options;
  return {
    accountRecords: new AccountRecords(options),
    apiKeys: new ApiKeys(options),
    apiKeyAuthenticator,
    authentication: new Authentication({ authenticators: [apiKeyAuthenticator], attempts }),
  };
}
