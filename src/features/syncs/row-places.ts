import type { Trx } from '../../storage/database.ts';
import type { DestinationRow } from '../../storage/destinations.ts';
import { requireFullSweep } from '../../storage/stream-readings.ts';
import { accountsOfSyncs, type SyncRow } from '../../storage/syncs.ts';
import type { AccountMapping, MappingMember } from '../../vocabulary/account-mappings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { SYNC_KEYS } from '../../vocabulary/row-fields.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** The members of an account mapping that decide where rows go; renaming a place moves no row. */
const PLACE_MEMBERS = ['destination_account', 'sheet_id'] as const satisfies readonly MappingMember[];
const NOWHERE: readonly string[] = [];

/**
 * Where a sync's rows go inside the destination: the place of their account, the destination's category for that of the
 * provider, and the columns that show them. Delivered rows are written again if one of these differs
 * (docs/sync-engine.md#mappings).
 */
export class RowPlaces {
  readonly #accounts: ReadonlyMap<RowId<'account'>, readonly string[]>;
  readonly #categories: ReadonlyMap<string, string>;
  /** The fields that the owner chose, sorted: their order moves no row. Null for the standard ones. */
  readonly fields: readonly string[] | null;

  constructor({
    type,
    account_mappings,
    category_mappings,
    columns,
  }: Pick<SyncRow, 'type' | 'account_mappings' | 'category_mappings' | 'columns'>) {
    this.fields = columns?.filter((name) => name !== SYNC_KEYS[type]).toSorted() ?? null;
    this.#accounts = new Map(
      account_mappings.map((mapping) => [
        mapping.account,
        PLACE_MEMBERS.flatMap((member) => mapping[member] ?? []),
      ]),
    );
    this.#categories = new Map(
      category_mappings.map((mapping) => [mapping.provider_category, mapping.destination_category]),
    );
  }

  /** What the mappings set for one row; empty if nothing. */
  of(
    account: RowId<'account'>,
    { provider_category, primary_category }: Pick<Transaction, 'provider_category' | 'primary_category'>,
  ): readonly (string | null)[] {
    const place = this.#accounts.get(account) ?? NOWHERE;
    if (this.#categories.size === 0) return place;
    // A connector may use the category of the primary code if the provider's own code is not mapped.
    const own = this.#categories.get(provider_category ?? '') ?? null;
    const primary = this.#categories.get(primary_category ?? '') ?? null;
    return own === null && primary === null ? place : [...place, own, primary];
  }

  /** Equal for mappings and columns that put every row of the account in the same place. */
  summary(account: RowId<'account'>): string {
    const place = this.#accounts.get(account) ?? NOWHERE;
    return JSON.stringify([place, [...this.#categories].toSorted(), this.fields]);
  }
}

/** Something in a target, by the destination's own id, and the field of the request that named it. */
export interface AskedPlace {
  readonly id: string;
  readonly param: string;
}

/** What a sync is about to write to. */
export interface AskedPlaces {
  readonly places: readonly AskedPlace[];
  readonly categories: readonly AskedPlace[];
  /** The field that errors name if the target itself no longer exists. */
  readonly targetParam: 'destination' | 'account_mappings' | 'mappings';
}

/** The part of destinations that syncs need: whether what they write to exists. */
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

/** Makes the next run read the accounts again whose delivered rows now belong elsewhere (RowPlaces). */
export async function followMappings(trx: Trx, before: SyncRow, after: SyncRow): Promise<void> {
  const { id, account_record: owner } = after;
  const [old, now] = [new RowPlaces(before), new RowPlaces(after)];
  const accounts = (await accountsOfSyncs(trx, owner, [id])).get(id) ?? [];
  const moved = accounts.filter((account) => old.summary(account) !== now.summary(account));
  await requireFullSweep(trx, owner, id, moved);
}
