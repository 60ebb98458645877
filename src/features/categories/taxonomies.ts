import type { Clock } from '../../platform/clock.ts';
import { type ClaimingCategory, listCategories } from '../../storage/categories.ts';
import { assignedCategories } from '../../storage/category-assignments.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { currentUnit } from '../../storage/unit-of-work.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { resolveCategory } from '../../vocabulary/provider-categories.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { CategoryOf } from '../reads/account-reads.ts';
import { seedOnce } from './category-seeding.ts';

/** What rows need of an owner's categories, including archived ones. A new object after every change. */
export interface Taxonomy {
  /** The public id of the category a row resolves to: the one given to this row, or else the one that claims its code. */
  readonly categoryOf: CategoryOf;
  /** The name of the category a row resolves to. */
  readonly categoryNameOf: (row: Transaction) => string | null;
  /** Every category by its public id, without deleted ones. */
  readonly categories: ReadonlyMap<string, KnownCategory>;
}

export interface KnownCategory {
  readonly name: string;
  /** The public id of its group; null for a group. */
  readonly group: string | null;
}

interface Resolved {
  readonly id: string;
  readonly name: string;
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

  /** That of the owner if it is cached, else null. */
  known(owner: OwnerId): Taxonomy | null {
    return this.#known.get(owner) ?? null;
  }

  /** Raises `categories_seed_failed`. */
  async of(owner: OwnerId): Promise<Taxonomy> {
    const known = this.#known.get(owner);
    if (known !== undefined) return known;
    const generation = this.#generation;
    await seedOnce(this.#db, this.#clock, owner);
    const taxonomy = taxonomyOf(
      await listCategories(this.#db, owner),
      await assignedCategories(this.#db, owner),
    );
    // What a unit of work sees may yet be rolled back.
    if (this.#notices.connected && generation === this.#generation && currentUnit() === null) {
      this.#known.set(owner, taxonomy);
      const [oldest] = this.#known.size > MAX_REMEMBERED ? this.#known.keys() : [];
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    return taxonomy;
  }

  #forget(of: (owner: OwnerId) => boolean): void {
    this.#generation += 1;
    for (const owner of this.#known.keys()) if (of(owner)) this.#known.delete(owner);
  }
}

function taxonomyOf(
  categories: readonly ClaimingCategory[],
  assigned: ReadonlyMap<string, ClaimingCategory['id']>,
): Taxonomy {
  const known = new Map(
    categories.map(({ id, name, parent }) => {
      const group = parent === null ? null : publicId('category', parent);
      return [publicId('category', id), { name, group }] as const;
    }),
  );
  const claims = new Map<string, Resolved>();
  const named = new Map<ClaimingCategory['id'], Resolved>();
  for (const { id, name, sources } of categories) {
    const claimant = { id: publicId('category', id), name };
    named.set(id, claimant);
    for (const code of sources) claims.set(code, claimant);
  }
  /** A row whose id the provider has changed is still found by the former one. */
  const own = ({ id, former_ids: former = [] }: Transaction): Resolved | null => {
    const given = [id, ...former].flatMap((one) => assigned.get(one) ?? [])[0];
    return given === undefined ? null : (named.get(given) ?? null);
  };
  const resolved = (row: Transaction): Resolved | null =>
    (assigned.size === 0 ? null : own(row)) ?? resolveCategory(row, claims);
  return {
    categoryOf: (row) => resolved(row)?.id ?? null,
    categoryNameOf: (row) => resolved(row)?.name ?? null,
    categories: known,
  };
}
