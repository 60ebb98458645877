import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import {
  type CategoryRow,
  deleteCategories,
  deleteEveryCategory,
  insertCategories,
  placeCategories,
  touchCategories,
  updateCategory,
} from '../../storage/categories.ts';
import {
  insertCategoryTree,
  lockCategoryTree,
  moveClaims,
  putClaims,
  releaseClaims,
} from '../../storage/category-trees.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { DEFAULT_LOOK } from '../../vocabulary/category-template.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../../vocabulary/metadata.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';
import { changeTree, readTree } from './category-changes.ts';
import {
  requireCategory,
  requireCodes,
  requireGroup,
  requireMovable,
  requireReassignTarget,
  requireRestorable,
} from './category-rules.ts';
import { seedOnce, seedTemplate } from './category-seeding.ts';
import type { Category } from './category-tree.ts';

type Id = RowId<'category'>;

export interface NewCategory {
  readonly name: string;
  /** The group; null makes a group. */
  readonly parent: Id | null;
  readonly icon?: string;
  readonly color?: string;
  readonly metadata: Metadata | null;
}

export interface CategoryPatch {
  readonly name?: string;
  readonly parent?: Id | null;
  readonly icon?: string;
  readonly color?: string;
  /** Beyond the end counts as the end. */
  readonly position?: number;
  readonly archived?: boolean;
  readonly metadata?: MetadataPatch;
}

export interface CategoryFilter {
  /** null: groups only; an id: the categories in that group. */
  readonly parent?: Id | null;
  readonly archived?: boolean;
}

/** Codes that moved to a category, and the category that had claimed them. */
export interface Release {
  readonly category: Id;
  readonly sources: readonly string[];
}

export interface CategoriesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly notices: Notices;
}

/**
 * An owner's own taxonomy (docs/categories.md). It is created at its first use, so every method can also raise
 * `categories_seed_failed`. Positions stay without gaps under concurrent changes.
 */
export class Categories {
  readonly #deps: CategoriesDependencies;

  constructor(deps: CategoriesDependencies) {
    this.#deps = deps;
  }

  /** In order, each group followed by its categories. Raises `resource_missing` and `parameter_invalid` (`parent`). */
  async list(owner: OwnerId, filter: CategoryFilter = {}): Promise<Category[]> {
    const { parent, archived } = filter;
    const tree = await readTree(this.#deps, owner);
    if (parent != null) requireGroup(tree, parent);
    return tree
      .inOrder()
      .filter(({ row }) => parent === undefined || row.parent === parent)
      .filter((category) => archived === undefined || category.archived === archived);
  }

  /** Different after every change of the owner's tree; later reads see this version or a newer one. */
  version(owner: OwnerId): Promise<number> {
    return seedOnce(this.#deps.db, this.#deps.clock, owner);
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id): Promise<Category> {
    const tree = await readTree(this.#deps, owner);
    return tree.shown(requireCategory(tree, id));
  }

  /**
   * A group, or a category at the end of its group. Raises `resource_missing` (`parent`), `parameter_invalid` (a parent
   * that is not a group, metadata, or more than LIMIT_CATEGORIES) and `category_create_failed`.
   */
  async create(owner: OwnerId, input: NewCategory): Promise<Category> {
    const { clock, limits } = this.#deps;
    requireFittingMetadata(input.metadata, limits.metadata_pairs);
    const id = rowId('category', newRowId(clock));
    const now = new Date(clock.now());
    const tree = await changeTree(this.#deps, owner, 'category_create_failed', async (trx, before) => {
      const group = input.parent === null ? null : requireGroup(before, input.parent);
      if (before.size >= limits.categories) {
        throw new ServiceError('parameter_invalid', {
          message: `There are already ${limits.categories} categories; delete one first.`,
        });
      }
      const icon = group === null ? DEFAULT_LOOK.groupIcon : DEFAULT_LOOK.categoryIcon;
      const row: CategoryRow = {
        id,
        account_record: owner,
        parent: input.parent,
        name: input.name,
        icon: input.icon ?? icon,
        color: input.color?.toLowerCase() ?? group?.color ?? DEFAULT_LOOK.color,
        position: before.below(input.parent).length,
        archived: false,
        metadata: input.metadata,
        created: now,
        updated: now,
      };
      await insertCategories(trx, [row]);
      await requireMetadataRoom(
        trx,
        limits,
        { table: 'categories', owner, now: clock.now() },
        { before: null, after: row.metadata },
      );
    });
    return tree.shown(requireCategory(tree, id));
  }

  /** Raises `resource_missing`, `parameter_invalid` (`parent`, `archived`, `metadata`) and `category_is_group`. */
  async update(owner: OwnerId, id: Id, patch: CategoryPatch): Promise<Category> {
    const { clock, limits } = this.#deps;
    const tree = await changeTree(this.#deps, owner, null, async (trx, before) => {
      const old = requireCategory(before, id);
      const { parent = old.parent, position, name, icon, color, archived } = patch;
      if (parent !== old.parent) requireMovable(before, old, parent);
      if (archived === false) requireRestorable(before, parent);
      const metadata = patch.metadata && mergeMetadata(old.metadata, patch.metadata);
      requireFittingMetadata(metadata, limits.metadata_pairs);
      await updateCategory(trx, owner, id, {
        parent,
        ...(name === undefined ? {} : { name }),
        ...(icon === undefined ? {} : { icon }),
        ...(color === undefined ? {} : { color: color.toLowerCase() }),
        ...(archived === undefined ? {} : { archived }),
        ...(metadata === undefined ? {} : { metadata }),
        updated: new Date(clock.now()),
      });
      await requireMetadataRoom(
        trx,
        limits,
        { table: 'categories', owner, now: clock.now() },
        { before: old.metadata, after: metadata },
      );
      if (parent !== old.parent) await placeCategories(trx, owner, before.without(old.parent, [id]));
      if (parent === old.parent && position === undefined) return;
      await placeCategories(trx, owner, before.placed(parent, id, position ?? null));
    });
    return tree.shown(requireCategory(tree, id));
  }

  /**
   * Deletes a category, or a group with its categories. Its claims move to `reassignTarget`, or are released. Raises
   * `resource_missing`, `category_has_children` for a group that is not empty unless `cascade`, `category_is_group` and
   * `parameter_invalid` (`reassign_to`).
   */
  async delete(
    owner: OwnerId,
    id: Id,
    options: { cascade: boolean; reassignTarget: Id | null },
  ): Promise<void> {
    const { cascade, reassignTarget } = options;
    await changeTree(this.#deps, owner, null, async (trx, before) => {
      const old = requireCategory(before, id);
      const below = before.below(id).map((row) => row.id);
      if (below.length > 0 && !cascade) throw new ServiceError('category_has_children');
      const deletedIds = [id, ...below];
      if (reassignTarget !== null) {
        requireReassignTarget(before, reassignTarget, deletedIds);
        await moveClaims(trx, owner, deletedIds, reassignTarget);
        await touchCategories(trx, owner, [reassignTarget], new Date(this.#deps.clock.now()));
      }
      await deleteCategories(trx, owner, deletedIds);
      await placeCategories(trx, owner, before.without(old.parent, deletedIds));
    });
  }

  /**
   * Makes the category claim exactly these codes. A code that another category claims is moved, and listed in
   * `released`. Raises `resource_missing`, `category_is_group` and `parameter_invalid` (`sources`).
   */
  async claim(
    owner: OwnerId,
    id: Id,
    sources: readonly string[],
  ): Promise<Category & { readonly released: readonly Release[] }> {
    const codes = requireCodes(sources);
    let released: Release[] = [];
    const tree = await changeTree(this.#deps, owner, null, async (trx, before) => {
      if (requireCategory(before, id).parent === null) {
        throw new ServiceError('category_is_group', { message: 'A group cannot claim sources.' });
      }
      released = before.inOrder().flatMap(({ row }): Release[] => {
        const lost = row.sources.filter((code) => codes.includes(code));
        return row.id === id || lost.length === 0 ? [] : [{ category: row.id, sources: lost }];
      });
      await releaseClaims(trx, owner, id);
      await putClaims(
        trx,
        codes.map((code) => ({ account_record: owner, code, category: id })),
      );
      const touched = [id, ...released.map(({ category }) => category)];
      await touchCategories(trx, owner, touched, new Date(this.#deps.clock.now()));
    });
    return { ...tree.shown(requireCategory(tree, id)), released };
  }

  /** Replaces everything with the default template. */
  async reset(owner: OwnerId): Promise<Category[]> {
    const { db, clock, notices } = this.#deps;
    await inRetryableTransaction(db, 'categories_seed_failed', async (trx) => {
      await insertCategoryTree(trx, owner, new Date(clock.now()));
      await lockCategoryTree(trx, owner);
      await deleteEveryCategory(trx, owner);
      await seedTemplate(trx, clock, owner);
      await notices.publish(trx, { kind: 'categories', id: owner });
    });
    notices.deliver({ kind: 'categories', id: owner });
    return this.list(owner);
  }
}
