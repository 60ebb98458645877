import type { Sync } from '#client';
import { SYNC } from '../../text/syncs.ts';
import { mapsAccounts, takesMappings } from '../sync-fields/mapping-modes.ts';

/** What can be changed about a sync. */
export type Setting = 'name' | 'accounts' | 'categories' | 'ruleset' | 'options' | 'columns' | 'schedule';

/** Accounts are changed together with their places, where they have some. */
export function accountsTitle({ type, destination }: Sync): string {
  return mapsAccounts(type, destination.type) && takesMappings(destination.type, destination.mapping_mode)
    ? SYNC.accountsAndPlaces
    : SYNC.accounts;
}
