import type { Clock } from '../../platform/clock.ts';
import { type ClaimingCategory, listCategories } from '../../storage/categories.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { currentUnit } from '../../storage/unit-of-work.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { resolveCategory } from '../../vocabulary/provider-categories.ts';
import type { CategoryOf } from '../reads/account-reads.ts';
import { seedOnce } from './category-seeding.ts';

/** What rows need of an owner's categories, including archived ones. A new object after every change. */
export interface Taxonomy {
  /** The public id of the category a row resolves to. */
  readonly categoryOf: CategoryOf;
  /** The name of the category a row resolves to. */
  readonly categoryNameOf: (row: Parameters<typeof resolveCategory>[0]) => string | null;
  /** Every category by its public id, without deleted ones. */
  readonly categories: ReadonlyMap<string, KnownCategory>;
}

export interface KnownCategory {
  readonly name: string;
  /** The public id of its group; null for a group. */
  readonly group: string | null;
}

const MAX_REMEMBERED = 1_000;

/**
 * The taxonomies of owners, created at their first use. Each is cached until a notice says that it changed, because
 * every read of transactions needs it; while notices may be missed, nothing is cached.
 */
export class Taxonomies {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #known = new Map<OwnerId, Taxonomy>();
  #generation = 0;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    deps.notices.onLost(() => this.#forget(() => true));
    deps.notices.onNotice(({ kind, id }) => {
      if (kind === 'categories') this.#forget((owner) => owner === id);
    });
  }

  /** Raises `categories_seed_failed`. */
  async of(owner: OwnerId): Promise<Taxonomy> {
    const known = this.#known.get(owner);
    if (known !== undefined) return known;
    const generation = this.#generation;
    await seedOnce(this.#db, this.#clock, owner);
    const taxonomy = taxonomyOf(await listCategories(this.#db, owner));
    // What a unit of work sees may yet be rolled back.
    if (this.#notices.connected && generation === this.#generation && currentUnit() === null) {
      if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
      this.#known.set(owner, taxonomy);
    }
    return taxonomy;
  }

  #forget(of: (owner: OwnerId) => boolean): void {
    this.#generation += 1;
    for (const owner of this.#known.keys()) if (of(owner)) this.#known.delete(owner);
  }
}

function taxonomyOf(categories: readonly ClaimingCategory[]): Taxonomy {
  const known = new Map(
    categories.map(({ id, name, parent }) => {
      const group = parent === null ? null : publicId('category', parent);
      return [publicId('category', id), { name, group }] as const;
    }),
  );
  const claims = new Map<string, { readonly id: string; readonly name: string }>();
  for (const { id, name, sources } of categories) {
    const claimant = { id: publicId('category', id), name };
    for (const code of sources) claims.set(code, claimant);
  }
  return {
    categoryOf: (row) => resolveCategory(row, claims)?.id ?? null,
    categoryNameOf: (row) => resolveCategory(row, claims)?.name ?? null,
    categories: known,
  };
}
