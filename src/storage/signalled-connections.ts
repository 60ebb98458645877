import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import type { Connection } from './connections.ts';
import type { Db } from './database.ts';

export type SignalledConnection = Pick<Connection, 'id' | 'account_record' | 'provider'>;

/** By what a vendor names a connection in a notification. */
export type SignalledBy =
  | { readonly consentHash: Buffer }
  | { readonly customerHash: Buffer }
  | { readonly upstreamId: string };

/** One account may be held by many account records, and each holds it in few connections. */
const MOST = 1_000;

/** Connections of anybody that are not revoked and that a notification of their provider is about. */
export async function connectionsOfSignal(
  db: Db,
  provider: ProviderIdentifier,
  by: SignalledBy,
): Promise<SignalledConnection[]> {
  return db
    .selectFrom('connections')
    .select(['id', 'account_record', 'provider'])
    .where('provider', '=', provider)
    .where('revoked_at', 'is', null)
    .where('id', 'in', idsOf(db, provider, by))
    .orderBy('id')
    .limit(MOST)
    .execute();
}

function idsOf(db: Db, provider: ProviderIdentifier, by: SignalledBy) {
  if ('consentHash' in by) {
    return db
      .selectFrom('consents')
      .select('connection as id')
      .where('consent_hash', '=', by.consentHash)
      .where('grant', 'is not', null)
      .where('current', '=', true);
  }
  if ('upstreamId' in by) {
    return db
      .selectFrom('accounts')
      .select('connection as id')
      .where('provider', '=', provider)
      .where('upstream_id', '=', by.upstreamId);
  }
  return db
    .selectFrom('connections')
    .innerJoin('end_users', 'end_users.id', 'connections.end_user')
    .select('connections.id as id')
    .where('end_users.provider', '=', provider)
    .where('end_users.customer_hash', '=', by.customerHash);
}
