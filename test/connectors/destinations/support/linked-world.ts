import type { DestinationConnector } from '../../../../src/connectors/destinations/destination-contract.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import { type DestinationRow, insertDestination } from '../../../../src/storage/destinations.ts';
import { type RowId, rowId } from '../../../../src/vocabulary/ids.ts';
import { localDate } from '../../../../src/vocabulary/moments.ts';
import type { World } from '../../../features/sync-engine/support/world.ts';
import { ASKED } from '../../../support/actors.ts';

/** A destination that someone linked and aimed, in a world. */
export async function linkedDestination(
  world: World,
  type: DestinationConnector['type'],
  grant: string,
  target: Readonly<Record<string, string>>,
): Promise<DestinationRow> {
  const { clock, secrets, owner, database } = world;
  const id = rowId('destination', newRowId(clock));
  const now = new Date(clock.now());
  const row: DestinationRow = {
    id,
    account_record: owner.id,
    type,
    name: 'Linked',
    status: Object.keys(target).length === 0 ? 'incomplete' : 'active',
    target: { ...target },
    sealed_target: null,
    target_mac: null,
    signing_secret: null,
    previous_secret: null,
    previous_secret_until: null,
    grant: secrets.sealGrant(id, grant),
    grant_claimed_until: null,
    creation_key: null,
    creating_until: null,
    mac_key: secrets.newMacKey(id),
    failed_runs: 0,
    first_failed_at: null,
    metadata: null,
    created: now,
    updated: now,
  };
  await insertDestination(database.db, row);
  return row;
}

/** A sync of the accounts to the destination, with its first run queued. */
export function syncTo(
  world: World,
  destination: DestinationRow,
  accounts: readonly RowId<'account'>[],
  more: Partial<NewSync> = {},
): Promise<Sync> {
  return world.syncs.create(world.owner, {
    type: 'transactions',
    name: 'Everything',
    destination: destination.id,
    accounts,
    mappingMode: 'bulk',
    accountMappings: [],
    options: { data_from: localDate('2020-01-01') },
    metadata: null,
    firstRun: ASKED,
    ...more,
  });
}
