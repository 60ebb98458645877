import type { CategoryRow, ClaimingCategory } from '../../storage/categories.ts';

type Id = CategoryRow['id'];

/** A category as its owner sees it. */
export interface Category {
  readonly row: ClaimingCategory;
  /** Itself, or because its group is archived. */
  readonly archived: boolean;
  /** How many categories a group has, including archived ones; 0 for a category. */
  readonly categoryCount: number;
}

/** An owner's taxonomy as read by one statement (docs/categories.md#the-tree): groups, and categories in them. Pure. */
export class CategoryTree {
  readonly #rows: ReadonlyMap<Id, ClaimingCategory>;
  readonly #below = new Map<Id | null, ClaimingCategory[]>();

  /** `rows`: all of them, those with the same parent in order of their position. */
  constructor(rows: readonly ClaimingCategory[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      const siblings = this.#below.get(row.parent);
      if (siblings === undefined) this.#below.set(row.parent, [row]);
      else siblings.push(row);
    }
  }

  get size(): number {
    return this.#rows.size;
  }

  find(id: Id): ClaimingCategory | null {
    return this.#rows.get(id) ?? null;
  }

  /** The groups for null, otherwise the categories in the group; in order. */
  below(parent: Id | null): readonly ClaimingCategory[] {
    return this.#below.get(parent) ?? [];
  }

  /** The ids below `parent` with `id` at the position, or at the end if there is no such position. */
  placed(parent: Id | null, id: Id, position: number | null): Id[] {
    const others = this.without(parent, [id]);
    return others.toSpliced(Math.min(position ?? others.length, others.length), 0, id);
  }

  /** The ids that stay below `parent` without some of them. */
  without(parent: Id | null, ids: readonly Id[]): Id[] {
    return this.below(parent).flatMap(({ id }) => (ids.includes(id) ? [] : [id]));
  }

  shown(row: ClaimingCategory): Category {
    const group = row.parent === null ? null : this.find(row.parent);
    return {
      row,
      archived: row.archived || group?.archived === true,
      categoryCount: this.below(row.id).length,
    };
  }

  /** Each group, followed by its categories. */
  inOrder(): Category[] {
    return this.below(null).flatMap((group) =>
      [group, ...this.below(group.id)].map((row) => this.shown(row)),
    );
  }
}
