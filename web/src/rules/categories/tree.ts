import type { CategoriesUpdateInput, Category } from '#client';
import type { DragTarget } from '../../parts/drag-target.ts';

export interface Branch {
  readonly group: Category;
  readonly members: readonly Category[];
}

/** Groups with what is in them, in order; archived ones are among them. */
export type Tree = readonly Branch[];

/** Where something is: among the groups (`parent` null) or within a group. */
interface Place {
  readonly parent: string | null;
  readonly at: number;
}

/** The tree of a list in which each group is followed by what is in it. */
export function treeOf(all: readonly Category[]): Tree {
  const members = Map.groupBy(all, ({ parent }) => parent);
  return (members.get(null) ?? []).map((group) => ({ group, members: members.get(group.id) ?? [] }));
}

export function listOf(tree: Tree): readonly Category[] {
  return tree.flatMap(({ group, members }) => [group, ...members]);
}

export function placeOf(tree: Tree, id: string): Place | null {
  const at = tree.findIndex(({ group }) => group.id === id);
  if (at !== -1) return { parent: null, at };
  for (const { group, members } of tree) {
    const within = members.findIndex((one) => one.id === id);
    if (within !== -1) return { parent: group.id, at: within };
  }
  return null;
}

/** The tree with a group, or a category, somewhere else. `at` counts without what is moved; beyond the end is the end. */
export function moved(tree: Tree, id: string, to: Place): Tree {
  const group = tree.find((branch) => branch.group.id === id);
  if (group !== undefined) {
    return tree.filter((branch) => branch !== group).toSpliced(to.at, 0, group);
  }
  const category = tree.flatMap(({ members }) => members).find((one) => one.id === id);
  if (category === undefined || !tree.some((branch) => branch.group.id === to.parent)) return tree;
  return tree.map((branch) => {
    const others = branch.members.filter((one) => one.id !== id);
    if (branch.group.id !== to.parent) return { ...branch, members: others };
    return { ...branch, members: others.toSpliced(to.at, 0, { ...category, parent: to.parent }) };
  });
}

/**
 * One step up or down among what is shown; null at either end. A category that leaves its group at the top goes to the
 * end of the group above, and at the bottom to the beginning of the one below.
 */
export function stepped(
  tree: Tree,
  id: string,
  by: -1 | 1,
  isShown: (category: Category) => boolean,
): Tree | null {
  const place = placeOf(tree, id);
  if (place === null) return null;
  const groups = tree.map(({ group }) => group);
  if (place.parent === null) {
    const at = nextShown(groups, place.at, by, isShown);
    return at === null ? null : moved(tree, id, { parent: null, at });
  }
  const own = groups.findIndex((group) => group.id === place.parent);
  const within = nextShown(tree[own]?.members ?? [], place.at, by, isShown);
  if (within !== null) return moved(tree, id, { parent: place.parent, at: within });
  const neighbour = nextShown(groups, own, by, isShown);
  const branch = neighbour === null ? undefined : tree[neighbour];
  if (branch === undefined) return null;
  return moved(tree, id, { parent: branch.group.id, at: by === 1 ? 0 : branch.members.length });
}

function nextShown(
  siblings: readonly Category[],
  from: number,
  by: -1 | 1,
  isShown: (category: Category) => boolean,
): number | null {
  for (let at = from + by; at >= 0 && at < siblings.length; at += by) {
    const sibling = siblings[at];
    if (sibling !== undefined && isShown(sibling)) return at;
  }
  return null;
}

/** The one change that brings about a move, or null if nothing moved. */
export function patchOf(before: Tree, after: Tree, id: string): Omit<CategoriesUpdateInput, 'id'> | null {
  const from = placeOf(before, id);
  const to = placeOf(after, id);
  if (from === null || to === null) return null;
  if (from.parent === to.parent) return from.at === to.at ? null : { position: to.at };
  return { parent: to.parent, position: to.at };
}

/** A group is dropped on groups; a category on rows, on the head of a group, and on what is in an empty one. */
export function kindsFor(tree: Tree, id: string): readonly string[] {
  return placeOf(tree, id)?.parent === null ? ['group'] : ['category', 'head', 'empty'];
}

/** The tree with `id` where the pointer is, or null if it is there already. */
export function draggedOver(tree: Tree, id: string, target: DragTarget): Tree | null {
  if (target.id === id) return null;
  const from = placeOf(tree, id);
  if (from === null) return null;
  if (target.kind === 'head' || target.kind === 'empty') return intoGroup(tree, id, target, from.parent);
  const over = placeOf(tree, target.id);
  if (over === null) return null;
  // Counted without what is moved, which may be in front of the target.
  const before = over.parent === from.parent && from.at < over.at ? over.at - 1 : over.at;
  const at = target.half === 'upper' ? before : before + 1;
  if (over.parent === from.parent && at === from.at) return null;
  return moved(tree, id, { parent: over.parent, at });
}

/** On the lower half of a group's head it becomes the first in it, on the upper half the last of the group above. */
function intoGroup(tree: Tree, id: string, { id: group, half, kind }: DragTarget, parent: string | null) {
  const at = tree.findIndex((branch) => branch.group.id === group);
  const above = tree[at - 1];
  if (kind === 'head' && half === 'upper' && above !== undefined) {
    const isLast = above.members.at(-1)?.id === id;
    return isLast ? null : moved(tree, id, { parent: above.group.id, at: above.members.length });
  }
  const isFirst = parent === group && tree[at]?.members[0]?.id === id;
  return isFirst ? null : moved(tree, id, { parent: group, at: 0 });
}
