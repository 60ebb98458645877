import type { Trx } from '../../storage/database.ts';
import type { DestinationRow } from '../../storage/destinations.ts';
import { requireFullSweep } from '../../storage/stream-readings.ts';
import { accountsOfSyncs, type SyncRow } from '../../storage/syncs.ts';
import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import { PLACE_MEMBERS, RowPlaces } from './row-places.ts';

/** What lies in a target, by the destination's own id, and the field of the request that named it. */
export interface AskedPlace {
  readonly id: string;
  readonly param: string;
}

/** What a sync is about to write to. */
export interface AskedPlaces {
  readonly places: readonly AskedPlace[];
  readonly categories: readonly AskedPlace[];
  /** The field that is named where the target itself is not there any more. */
  readonly targetParam: 'destination' | 'account_mappings' | 'mappings';
}

/** The part of destinations that syncs need: whether what they are to write to is there. */
export interface CheckedTargets {
  /** Asks the destination, so no transaction may be open. Raises what TargetChecks raise. */
  requirePlaces(destination: DestinationRow, asked: AskedPlaces, signal: AbortSignal): Promise<void>;
}

/** The places that account mappings name, in the order of the mappings. */
export function placesOf(mappings: readonly AccountMapping[]): readonly AskedPlace[] {
  return mappings.flatMap((mapping, index) =>
    PLACE_MEMBERS.flatMap((member) => {
      const id = mapping[member];
      return id === undefined ? [] : [{ id, param: `account_mappings[${index}].${member}` }];
    }),
  );
}

/** Has what was delivered of the accounts read again whose rows go elsewhere than before (RowPlaces). */
export async function followMappings(trx: Trx, before: SyncRow, after: SyncRow): Promise<void> {
  const { id, account_record: owner } = after;
  const [old, now] = [new RowPlaces(before), new RowPlaces(after)];
  const accounts = (await accountsOfSyncs(trx, owner, [id])).get(id) ?? [];
  const moved = accounts.filter((account) => old.summary(account) !== now.summary(account));
  await requireFullSweep(trx, owner, id, moved);
}
