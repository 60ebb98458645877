import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CategoriesUpdateInput, Category } from '#client';
import { type Claim, categories, categoriesChanged, changeClaims } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { offerUndo } from '../../parts/undo.tsx';
import { type DragOrder, useDragOrder } from '../../parts/use-drag-order.ts';
import { CATEGORIES, CLAIMS, DRAGGING } from '../../text/categories.ts';
import {
  draggedOver,
  kindsFor,
  listOf,
  moved,
  patchOf,
  placeOf,
  stepped,
  type Tree,
  treeOf,
} from './tree.ts';

/** A question in front of the page about one category or group, or about all of them. */
export type Asking =
  | { readonly about: 'group' | 'reset' }
  | { readonly about: 'category'; readonly group: Category }
  | { readonly about: 'edit' | 'claims' | 'move' | 'delete'; readonly category: Category };

/** What rows of the tree can have done. */
export interface CategoryActions {
  readonly moves: CategoryMoves;
  readonly ask: (asking: Asking) => void;
  readonly archive: (category: Category, archived: boolean) => void;
  readonly hint: string;
}

interface Move {
  readonly category: Category;
  readonly patch: Omit<CategoriesUpdateInput, 'id'>;
  readonly after: Tree;
}

interface CategoryMoves extends DragOrder<Tree> {
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

/** What has just been done, in words. */
export interface Done {
  readonly title: string;
  readonly text: string;
}

interface CategoryChanges {
  readonly archive: (category: Category, archived: boolean) => void;
  /** Adds a code to those a category claims. */
  readonly claim: (category: Category, code: string) => void;
  readonly claiming: boolean;
  readonly failure: { readonly title: string; readonly error: unknown } | null;
  readonly done: Done | null;
  readonly tell: (done: Done | null) => void;
}

/** Changes that need no question first, and the result of the last one. */
export function useCategoryChanges(all: readonly Category[]): CategoryChanges {
  const queries = useQueryClient();
  const [done, tell] = useState<Done | null>(null);
  const { failed } = CATEGORIES;
  const onSettled = () => categoriesChanged(queries);
  const archive = useMutation({
    mutationFn: ({ category, archived }: { readonly category: Category; readonly archived: boolean }) =>
      api.categories.update({ id: category.id, archived }),
    onMutate: () => tell(null),
    onSuccess: (_, { category: { id, name }, archived }) =>
      offerUndo({
        ...archivedText(name, archived),
        undo: async (undoing) => {
          await undoing.categories.update({ id, archived: !archived });
          await onSettled();
        },
        failed: failed[archived ? 'restore' : 'archive'](name),
      }),
    onSettled,
  });
  const claim = useMutation({
    mutationFn: ({ category, code }: { readonly category: Category; readonly code: string }) =>
      changeClaims(category.id, { add: [code] }),
    onMutate: () => tell(null),
    onSuccess: (claim) => offerUndoOfClaim(claim, all, onSettled),
    onSettled,
  });
  const failure =
    archive.error !== null && archive.variables !== undefined
      ? {
          error: archive.error,
          title: failed[archive.variables.archived ? 'archive' : 'restore'](archive.variables.category.name),
        }
      : claim.error !== null && claim.variables !== undefined
        ? { error: claim.error, title: failed.claim(claim.variables.category.name) }
        : null;
  return {
    archive: (category, archived) => archive.mutate({ category, archived }),
    claim: (category, code) => claim.mutate({ category, code }),
    claiming: claim.isPending,
    failure,
    done,
    tell,
  };
}

function archivedText(name: string, archived: boolean): Done {
  const { done } = CATEGORIES;
  return archived
    ? { title: done.archived(name), text: done.archivedText }
    : { title: done.restored(name), text: done.restoredText };
}

/** Says what a claim has done and what other categories lost by it. @param changed refetches what shows categories */
export function offerUndoOfClaim(
  { claimed, undo }: Claim,
  all: readonly Category[],
  changed: () => Promise<unknown>,
): void {
  const { done, failed } = CATEGORIES;
  const losers = claimed.released_from.map(
    ({ category }) => all.find(({ id }) => id === category)?.name ?? category,
  );
  offerUndo({
    title: done.claimed(claimed.name, claimed.sources.length),
    text: losers.length === 0 ? done.claimedText : `${done.claimedText} ${done.taken(losers)}`,
    undo: async (undoing) => {
      const left = await undo(undoing).finally(changed);
      return CLAIMS.left(left);
    },
    failed: failed.claim(claimed.name),
  });
}
