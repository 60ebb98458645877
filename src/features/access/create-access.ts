import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { EventTrigger } from '../events/event-log.ts';
import type { AuthAttempts } from '../rate-limits/auth-attempts.ts';
import { AccountRecords } from './account-records.ts';
import { ApiKeyAuthenticator } from './api-key-authenticator.ts';
import { ApiKeys } from './api-keys.ts';
import { Authentication } from './authentication.ts';
import { BridgeAppAuthenticator } from './bridge-app-authenticator.ts';
import { SetupTokens } from './setup-tokens.ts';
import { SimplefinApps } from './simplefin-apps.ts';

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
  readonly simplefinApps: SimplefinApps;
  readonly setupTokens: SetupTokens;
  readonly bridgeAppAuthenticator: BridgeAppAuthenticator;
  /** Of the bridge, which takes credentials of its apps and nothing else. */
  readonly bridgeAuthentication: Authentication;
  /** Of every surface that takes API keys and nothing else. */
  readonly authentication: Authentication;
}

export function createAccess(options: AccessOptions): Access {
  const apiKeyAuthenticator = new ApiKeyAuthenticator(options);
  const bridgeAppAuthenticator = new BridgeAppAuthenticator(options);
  const { attempts } = options;
  return {
    accountRecords: new AccountRecords(options),
    apiKeys: new ApiKeys(options),
    apiKeyAuthenticator,
    simplefinApps: new SimplefinApps(options),
    setupTokens: new SetupTokens(options),
    bridgeAppAuthenticator,
    bridgeAuthentication: new Authentication({ authenticators: [bridgeAppAuthenticator], attempts }),
    authentication: new Authentication({ authenticators: [apiKeyAuthenticator], attempts }),
  };
}
