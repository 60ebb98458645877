import type { Trx } from '../../storage/database.ts';
import type { DestinationChange, DestinationRow } from '../../storage/destinations.ts';
import { lockSync, syncsOfDestination, updateSync } from '../../storage/syncs.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { DESTINATION_MOVES, StatusMove } from '../../vocabulary/states.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import type { GrantRevocations } from './grant-revocations.ts';

type Given = Pick<DestinationRow, 'id' | 'account_record' | 'type' | 'name' | 'mac_key'>;

/** A new destination: without a target, a secret, a grant or failures. */
export function newDestinationRow(given: Given, now: Date): DestinationRow {
  return {
    ...given,
    status: 'incomplete',
    target: {},
    sealed_target: null,
    target_mac: null,
    signing_secret: null,
    previous_secret: null,
    previous_secret_until: null,
    grant: null,
    grant_claimed_until: null,
    creation_key: null,
    creating_until: null,
    failed_runs: 0,
    first_failed_at: null,
    metadata: null,
    created: now,
    updated: now,
  };
}

/** The vendor's name of it, made valid for the database and cut to the length of names; else the type. */
export function firstName(text: string, type: DestinationType): string {
  const readable = text.replaceAll('\0', '\ufffd').toWellFormed().trim();
  const half = /\p{Cs}$/u;
  return readable.slice(0, FIXED_LIMITS.name_characters).replace(half, '').trimEnd() || type;
}

interface Dependencies {
  readonly secrets: Pick<DestinationSecrets, 'sealGrant'>;
  readonly revocations: Pick<GrantRevocations, 'scheduleOf'>;
}

/**
 * What changes in a destination that gets another grant, for its row, which the transaction has locked. The old grant
 * is ended at the vendor, `reauth_required` is over, and its syncs need no attention for it any more.
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
