import type { Clock } from '../platform/clock.ts';
import { type ClaimingCategory, listCategories } from '../storage/categories.ts';
import type { Db } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import { resolveCategory } from '../vocabulary/category-resolution.ts';
import { publicId, type RowId } from '../vocabulary/ids.ts';
import type { CategoryOf } from './account-reads.ts';
import { seedOnce } from './category-seeding.ts';

type Owner = RowId<'account_record'>;
type Id = RowId<'category'>;

/** An owner's categories as far as rows are concerned, archived ones included. Another object after every change. */
export interface Taxonomy {
  /** The public id of the category a row resolves to. */
  readonly categoryOf: CategoryOf;
  /** The name of the category a row resolves to. */
  readonly categoryNameOf: CategoryOf;
  /** The name of a category by its id; null where there is none, for example since it was deleted. */
  readonly nameOf: (id: Id) => string | null;
}

const MAX_REMEMBERED = 1_000;

/**
 * The taxonomies of owners, planted at their first use. Each is remembered until a notice says that it changed, because
 * every read of transactions asks for it; while notices may be missed nothing is remembered.
 */
export class Taxonomies {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #known = new Map<Owner, Taxonomy>();
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
  async of(owner: Owner): Promise<Taxonomy> {
    const known = this.#known.get(owner);
    if (known !== undefined) return known;
    const generation = this.#generation;
    await seedOnce(this.#db, this.#clock, owner);
    const taxonomy = taxonomyOf(await listCategories(this.#db, owner));
    if (this.#notices.connected && generation === this.#generation) {
      if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
      this.#known.set(owner, taxonomy);
    }
    return taxonomy;
  }

  #forget(of: (owner: Owner) => boolean): void {
    this.#generation += 1;
    for (const owner of this.#known.keys()) if (of(owner)) this.#known.delete(owner);
  }
}

function taxonomyOf(categories: readonly ClaimingCategory[]): Taxonomy {
  const names = new Map(categories.map((category) => [category.id, category.name]));
  const claims = new Map<string, { readonly id: string; readonly name: string }>();
  for (const { id, name, sources } of categories) {
    const claimant = { id: publicId('category', id), name };
    for (const code of sources) claims.set(code, claimant);
  }
  return {
    categoryOf: (row) => resolveCategory(row, claims)?.id ?? null,
    categoryNameOf: (row) => resolveCategory(row, claims)?.name ?? null,
    nameOf: (id) => names.get(id) ?? null,
  };
}
