import type { CategoryRow, ClaimingCategory } from '../../storage/categories.ts';
import { PROVIDER_CATEGORIES } from '../../vocabulary/provider-categories.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { CategoryTree } from './category-tree.ts';

type Id = CategoryRow['id'];

const CODES: ReadonlySet<string> = new Set(PROVIDER_CATEGORIES.map(({ code }) => code));

/** Raises `resource_missing`; `param` names the field the id came in. */
export function requireCategory(tree: CategoryTree, id: Id, param: string | null = null): ClaimingCategory {
  const row = tree.find(id);
  if (row === null) throw missing('category', param);
  return row;
}

/** The tree is one level deep. Raises `resource_missing` and `parameter_invalid` (`parent`). */
export function requireGroup(tree: CategoryTree, id: Id): ClaimingCategory {
  const row = requireCategory(tree, id, 'parent');
  if (row.parent === null) return row;
  throw invalidParameter('parent', 'parent must be a group; the category is itself in one.');
}

/**
 * Checks that the category may move below `parent`, or become a group (null). Raises `category_is_group` for a group
 * that would be put under a group and for a claimant that would become one, and what requireGroup raises.
 */
export function requireMovable(tree: CategoryTree, row: ClaimingCategory, parent: Id | null): void {
  if (parent === null) {
    if (row.sources.length === 0) return;
    const message = 'A group cannot claim sources; empty the sources of the category, then make it a group.';
    throw new ServiceError('category_is_group', { param: 'parent', message });
  }
  if (row.parent === null) {
    requireCategory(tree, parent, 'parent');
    throw new ServiceError('category_is_group', {
      param: 'parent',
      message: 'A group cannot be moved under a group.',
    });
  }
  requireGroup(tree, parent);
}

/** Categories in an archived group are archived. Raises `parameter_invalid` (`archived`). */
export function requireRestorable(tree: CategoryTree, parent: Id | null): void {
  if (parent === null || tree.find(parent)?.archived !== true) return;
  const message =
    'The group is archived, and so is everything in it; restore the group, or move the category.';
  throw invalidParameter('archived', message);
}

/** Each code once. Raises `parameter_invalid` (`sources[n]`) for a code that is none of the provider categories. */
export function requireCodes(codes: readonly string[]): readonly string[] {
  const unknown = codes.findIndex((code) => !CODES.has(code));
  if (unknown === -1) return [...new Set(codes)];
  throw invalidParameter(
    `sources[${unknown}]`,
    `${codes[unknown]?.slice(0, 60)} is not a provider category; GET /v2/provider_categories lists them.`,
  );
}

/**
 * The category that takes over the sources of deleted ones. Raises `resource_missing`, `parameter_invalid` and
 * `category_is_group` (`reassign_to`).
 */
export function requireReassignTarget(
  tree: CategoryTree,
  reassignTarget: Id,
  deletedIds: readonly Id[],
): void {
  const row = requireCategory(tree, reassignTarget, 'reassign_to');
  if (deletedIds.includes(reassignTarget)) {
    throw invalidParameter('reassign_to', 'The category is itself being deleted; choose another one.');
  }
  if (row.parent !== null) return;
  throw new ServiceError('category_is_group', {
    param: 'reassign_to',
    message: 'A group cannot claim sources; choose one of its categories.',
  });
}
