import { grantsOf } from '../storage/consents.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/**
 * The vendor's ids of the consents that belong to connections already. A vendor lists all consents of a person without
 * saying which session brought which, so a session takes one that no other has taken.
 */
export async function claimedConsents(
  deps: Pick<LinkingDependencies, 'db' | 'secrets'>,
  owner: RowId<'account_record'>,
  provider: ProviderIdentifier,
): Promise<ReadonlySet<string>> {
  const rows = await grantsOf(deps.db, owner, provider);
  return new Set(rows.map(({ id, grant }) => deps.secrets.openGrant(id, grant).consent));
}
