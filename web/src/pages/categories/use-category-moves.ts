import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CategoriesUpdateInput, Category } from '#client';
import { categories } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { type DragOrder, useDragOrder } from '../../parts/use-drag-order.ts';
import { DRAGGING } from '../../text/categories.ts';
import { draggedOver, kindsFor } from './drag-targets.ts';
import { listOf, moved, patchOf, placeOf, stepped, type Tree, treeOf } from './tree.ts';

interface Move {
  readonly category: Category;
  readonly patch: Omit<CategoriesUpdateInput, 'id'>;
  readonly after: Tree;
}

export interface CategoryMoves extends DragOrder<Tree> {
  /** To the end of another group. */
  readonly moveTo: (id: string, group: string) => void;
  readonly failure: { readonly category: Category; readonly error: unknown } | null;
}

const MOVES = ['move category'];

/** Moves within the tree. Each is one write, shown at once and taken back where the service refuses it. */
export function useCategoryMoves(
  all: readonly Category[],
  isShown: (category: Category) => boolean,
): CategoryMoves {
  const queries = useQueryClient();
  const move = useMutation({
    mutationKey: MOVES,
    // One after another: a position counts in the order that the one before it left.
    scope: { id: 'category moves' },
    mutationFn: ({ category, patch }: Move) => api.categories.update({ id: category.id, ...patch }),
    onMutate: async ({ after }) => {
      await queries.cancelQueries({ queryKey: categories.queryKey });
      queries.setQueryData(categories.queryKey, listOf(after));
    },
    onSettled: () => {
      // While others wait their turn, the stored order is not yet the one that is shown.
      if (queries.isMutating({ mutationKey: MOVES }) > 1) return;
      return queries.invalidateQueries({ queryKey: categories.queryKey });
    },
  });
  const tree = treeOf(all);
  const save = (id: string, after: Tree) => {
    const category = all.find((one) => one.id === id);
    const patch = patchOf(tree, after, id);
    if (category !== undefined && patch !== null) move.mutate({ category, patch, after });
  };
  const drag = useDragOrder({
    order: tree,
    version: all,
    kinds: (id) => kindsFor(tree, id),
    step: (order, id, by) => stepped(order, id, by, isShown),
    over: draggedOver,
    save,
    words: {
      lifted: (id, order) => DRAGGING.lifted(nameIn(order, id), placeText(order, id)),
      moved: (id, order) => placeText(order, id),
      dropped: (id, order) => DRAGGING.dropped(nameIn(order, id), placeText(order, id)),
      cancelled: (id, order) => DRAGGING.cancelled(nameIn(order, id), placeText(order, id)),
    },
  });
  return {
    ...drag,
    moveTo: (id, group) => save(id, moved(tree, id, { parent: group, at: Number.POSITIVE_INFINITY })),
    failure:
      move.error === null || move.variables === undefined
        ? null
        : { category: move.variables.category, error: move.error },
  };
}

function nameIn(tree: Tree, id: string): string {
  return listOf(tree).find((one) => one.id === id)?.name ?? '';
}

function placeText(tree: Tree, id: string): string {
  const place = placeOf(tree, id);
  if (place === null) return '';
  if (place.parent === null) return DRAGGING.groupPlace(place.at + 1, tree.length);
  const branch = tree.find(({ group }) => group.id === place.parent);
  return DRAGGING.place(place.at + 1, branch?.members.length ?? 0, branch?.group.name ?? '');
}
