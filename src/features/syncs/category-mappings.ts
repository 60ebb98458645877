import type { Clock } from '../../platform/clock.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { type DestinationRow, findDestination } from '../../storage/destinations.ts';
import { findSync, lockSync, type SyncRow, updateSync } from '../../storage/syncs.ts';
import { CATEGORY_MAPPED_TYPES } from '../../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { PROVIDER_CATEGORIES } from '../../vocabulary/provider-categories.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { CategoryMapping } from '../../vocabulary/syncs.ts';
import { type AskedPlace, type CheckedTargets, followMappings } from './row-places.ts';

/** One entry of what a caller sends; without a destination category the provider category is not mapped. */
export interface CategoryMappingInput {
  readonly provider_category: string;
  readonly destination_category: string | null;
  readonly destination_category_name: string | null;
}

const CODES: ReadonlySet<string> = new Set(PROVIDER_CATEGORIES.map((category) => category.code));

export interface CategoryMappingsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly targets: CheckedTargets;
}

/** Which category of a budgeting app gets the rows of which provider category, stored with the sync. */
export class CategoryMappings {
  readonly #deps: CategoryMappingsDependencies;

  constructor(deps: CategoryMappingsDependencies) {
    this.#deps = deps;
  }

  /** Raises `resource_missing`, `sync_has_no_destination`, `not_supported`. */
  async read(owner: OwnerId, id: RowId<'sync'>): Promise<readonly CategoryMapping[]> {
    const { db } = this.#deps;
    const sync = await findSync(db, owner, id);
    if (sync === null) throw missing('sync');
    await requireMappable(db, sync);
    return sync.category_mappings;
  }

  /**
   * Replaces the whole set. Raises as `read` does, `parameter_invalid` naming the invalid entry, and what the
   * destination's check raises.
   */
  async replace(
    owner: OwnerId,
    id: RowId<'sync'>,
    entries: readonly CategoryMappingInput[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<readonly CategoryMapping[]> {
    const { db, clock, targets } = this.#deps;
    const found = await findSync(db, owner, id);
    if (found === null) throw missing('sync');
    const destination = await requireMappable(db, found);
    if (checkedMappings(entries).length > 0) {
      const asked = { places: [], categories: categoriesOf(entries), targetParam: 'mappings' } as const;
      await targets.requirePlaces(destination, asked, signal);
    }
    return db.transaction().execute(async (trx) => {
      const sync = await lockSync(trx, owner, id);
      if (sync === null) throw missing('sync');
      await requireMappable(trx, sync);
      const mappings = checkedMappings(entries);
      await updateSync(trx, owner, id, { category_mappings: mappings, updated: new Date(clock.now()) });
      await followMappings(trx, sync, { ...sync, category_mappings: mappings });
      return mappings;
    });
  }
}

/** A budgeting app has categories of its own; other destinations receive the name of the service's. */
async function requireMappable(db: Db | Trx, sync: SyncRow): Promise<DestinationRow> {
  const destination = await findDestination(db, sync.account_record, sync.destination);
  if (destination === null) throw new ServiceError('sync_has_no_destination');
  if (!CATEGORY_MAPPED_TYPES.includes(destination.type)) {
    throw new ServiceError('not_supported', {
      message: `Categories can be mapped only for destinations of type ${CATEGORY_MAPPED_TYPES.join(', ')}.`,
    });
  }
  return destination;
}

function categoriesOf(entries: readonly CategoryMappingInput[]): readonly AskedPlace[] {
  return entries.flatMap(({ destination_category: id }, index) =>
    id === null ? [] : [{ id, param: `mappings[${index}].destination_category` }],
  );
}

function checkedMappings(entries: readonly CategoryMappingInput[]): CategoryMapping[] {
  const seen = new Set<string>();
  return entries.flatMap(({ provider_category, destination_category, destination_category_name }, index) => {
    const param = `mappings[${index}].provider_category`;
    if (!CODES.has(provider_category)) {
      throw invalidParameter(param, `${param} is not a code from GET /v2/provider_categories.`);
    }
    if (seen.has(provider_category)) throw invalidParameter(param, `${provider_category} is mapped twice.`);
    seen.add(provider_category);
    if (destination_category === null) return [];
    return [{ provider_category, destination_category, destination_category_name }];
  });
}
