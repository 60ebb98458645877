import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Category } from '#client';
import { type ClaimedCategory, categoriesChanged, claimMore } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { CATEGORIES } from '../../text/categories.ts';

/** What has just been done, in words. */
export interface Done {
  readonly title: string;
  readonly text: string;
}

export interface CategoryChanges {
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
  const onSettled = () => categoriesChanged(queries);
  const archive = useMutation({
    mutationFn: ({ category, archived }: { readonly category: Category; readonly archived: boolean }) =>
      api.categories.update({ id: category.id, archived }),
    onMutate: () => tell(null),
    onSuccess: (_, { category, archived }) => tell(archivedText(category.name, archived)),
    onSettled,
  });
  const claim = useMutation({
    mutationFn: ({ category, code }: { readonly category: Category; readonly code: string }) =>
      claimMore(category.id, code),
    onMutate: () => tell(null),
    onSuccess: (claimed) => tell(claimedText(claimed, all)),
    onSettled,
  });
  const { failed } = CATEGORIES;
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

/** The result of a claim, with what other categories lost by it. */
export function claimedText(claimed: ClaimedCategory, all: readonly Category[]): Done {
  const { done } = CATEGORIES;
  const losers = claimed.released_from.map(
    ({ category }) => all.find(({ id }) => id === category)?.name ?? category,
  );
  return {
    title: done.claimed(claimed.name, claimed.sources.length),
    text: losers.length === 0 ? done.claimedText : `${done.claimedText} ${done.taken(losers)}`,
  };
}
