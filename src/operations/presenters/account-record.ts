import type { Static } from 'typebox';
import { entitlementsOf } from '../../features/access/account-records.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { ApiKey } from '../../storage/api-keys.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { LEGACY_SCOPES, SCOPES } from '../../vocabulary/scopes.ts';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';
import type { accountRecordSchema } from '../schemas/account-record.ts';

/** The account record as its caller sees it (docs/resources.md#account-record). */
export function presentAccountRecord(caller: Caller, now: number): Static<typeof accountRecordSchema> {
  const { accountRecord } = caller;
  const { api_access, brokerage, limits } = entitlementsOf(accountRecord, now);
  return {
    id: publicId('account_record', accountRecord.id),
    object: 'account',
    plan: accountRecord.plan,
    status: accountRecord.status,
    entitlements: { api_access, brokerage },
    limits: {
      connections: limits.connections,
      accounts: limits.accounts,
      syncs: limits.syncs,
      destinations: limits.destinations,
    },
    timezone: accountRecord.timezone,
    api_version: CURRENT_RELEASE,
    scopes: SCOPES.filter((scope) => caller.scopes.has(scope)),
    key: caller.kind === 'api_key' ? presentKeyInUse(caller.key) : null,
    livemode: true,
  };
}

function presentKeyInUse(key: ApiKey): Static<typeof accountRecordSchema>['key'] {
  return {
    id: publicId('api_key', key.id),
    name: key.name,
    scopes: key.legacy ? [...LEGACY_SCOPES] : key.scopes,
    legacy: key.legacy,
  };
}
