import type { Trx } from '../../storage/database.ts';
import type { DestinationChange, DestinationRow } from '../../storage/destinations.ts';
import { lockSync, syncsOfDestination, updateSync } from '../../storage/syncs.ts';
import { DESTINATION_MOVES, StatusMove } from '../../vocabulary/states.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import type { GrantRevocations } from './grant-revocations.ts';

interface Dependencies {
  readonly secrets: Pick<DestinationSecrets, 'sealGrant'>;
  readonly revocations: Pick<GrantRevocations, 'scheduleOf'>;
}

/**
 * What changes in a destination that gets another grant, for its row, which the transaction holds. The old grant is
 * ended at the vendor, `reauth_required` is over, and its syncs need no attention for it any more.
 */
export async function grantReplacement(
  { secrets, revocations }: Dependencies,
  trx: Trx,
  old: DestinationRow,
  grant: string,
  by: 'destination link completed' | 'new secret accepted',
): Promise<DestinationChange> {
  const { account_record: owner, id, status } = old;
  await revocations.scheduleOf(trx, old);
  for (const sync of await syncsOfDestination(trx, owner, id)) {
    const held = await lockSync(trx, owner, sync);
    if (held?.attention === 'destination_auth_expired') {
      await updateSync(trx, owner, sync, { attention: null });
    }
  }
  return {
    grant: secrets.sealGrant(id, grant),
    grant_claimed_until: null,
    ...(status === 'reauth_required' ? { moved: StatusMove.of(DESTINATION_MOVES, by, status) } : {}),
  };
}
