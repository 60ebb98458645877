import type { Sync, SyncsCreateInput } from '#client';
import {
  CATEGORY_MAPPED_TYPES,
  DESTINATION_KINDS,
  type DestinationType,
} from '../../../../src/vocabulary/destination-kinds.ts';
import type { MappingMode, SyncType } from '../../../../src/vocabulary/syncs.ts';
import { destinationTexts } from '../../text/kinds.ts';

export type AccountMapping = NonNullable<SyncsCreateInput['account_mappings']>[number];

/** Whether accounts can be given places of their own inside a destination of the type. */
export function mapsAccounts(type: SyncType, destination: DestinationType): boolean {
  return type === 'transactions' && DESTINATION_KINDS[destination].mapping.entry !== null;
}

/** Whether every account must be given a place, as in a budgeting app. */
export function needsMappings(type: SyncType, destination: DestinationType): boolean {
  return mapsAccounts(type, destination) && DESTINATION_KINDS[destination].mapping.entry?.needed === 'always';
}

export function mapsCategories(type: SyncType, destination: DestinationType): boolean {
  return type === 'transactions' && CATEGORY_MAPPED_TYPES.includes(destination);
}

/** Whether this mode has entries; a spreadsheet in which all accounts share a tab has none. */
export function takesMappings(destination: DestinationType, mode: MappingMode): boolean {
  return DESTINATION_KINDS[destination].mapping.entry?.modes.includes(mode) === true;
}

/** The valid entries: those of chosen accounts, each once, in the order of choosing. */
export function fittingMappings(
  mappings: readonly AccountMapping[],
  accounts: readonly string[],
): AccountMapping[] {
  return accounts.flatMap((account) => mappings.find((one) => one.account === account) ?? []);
}

/** The mappings with one account's place set, or unset by null. */
export function withMapping(
  mappings: readonly AccountMapping[],
  account: string,
  place: Omit<AccountMapping, 'account'> | null,
): AccountMapping[] {
  const others = mappings.filter((one) => one.account !== account);
  return place === null ? others : [...others, { account, ...place }];
}

/** Accounts that still need a place. */
export function unmapped(
  mappings: readonly AccountMapping[],
  accounts: readonly string[],
): readonly string[] {
  return accounts.filter((account) => !mappings.some((one) => one.account === account));
}

/** The name of a destination, with its vendor if the name does not contain it. */
export function placeText({ name, type }: Pick<Sync['destination'], 'name' | 'type'>): string {
  const vendor = destinationTexts(type).name;
  return name === vendor ? name : `${name} (${vendor})`;
}
