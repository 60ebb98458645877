import type { DragTarget } from '../../parts/drag-target.ts';
import { moved, placeOf, type Tree } from './tree.ts';

/** A group is dropped on groups; a category on rows, on the head of a group, and on what is in an empty one. */
export function kindsFor(tree: Tree, id: string): readonly string[] {
  return placeOf(tree, id)?.parent === null ? ['group'] : ['category', 'head', 'empty'];
}

/** The tree with `id` where the pointer is, or null where it is there already. */
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
