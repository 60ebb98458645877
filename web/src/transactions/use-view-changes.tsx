import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SavedView } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { api } from '../api/client.ts';
import { savedViews } from '../api/saved-views.ts';
import { Problem } from '../parts/page-states.tsx';
import { offerUndo } from '../parts/undo.tsx';
import { SAVED_VIEWS } from '../text/saved-views.ts';
import type { TransactionsSearch } from './search.ts';
import { afterSaving, queryOfSearch } from './view-filters.ts';

type Change = Partial<Pick<SavedView, 'name' | 'query'>>;

interface Saving {
  readonly name: string;
  /** What the view keeps. */
  readonly filters: TransactionsSearch;
  /** What is shown while it is being saved. */
  readonly shown: TransactionsSearch;
}

const route = getRouteApi(APP_PATHS.transactions);

/**
 * Saving, changing and deleting views, and how it goes. A view that was saved is shown, unless the person left meanwhile.
 * @param onDone a view was saved or changed
 */
export function useViewChanges(onDone?: () => void) {
  const queries = useQueryClient();
  const showIfHere = useShowIfHere();
  const { failed, deleted, updated, left } = SAVED_VIEWS;
  const known = (change: (views: readonly SavedView[]) => readonly SavedView[]) =>
    queries.setQueryData(savedViews.queryKey, (views) => [...change(views ?? [])]);
  const knownAs = (now: SavedView) => known((views) => views.map((one) => (one.id === now.id ? now : one)));
  const onSettled = () => queries.invalidateQueries({ queryKey: savedViews.queryKey });
  const create = useMutation({
    mutationFn: ({ name, filters }: Saving) => api.savedViews.create({ name, query: queryOfSearch(filters) }),
    onSuccess: (view, { shown }) => {
      known((views) => [...views, view]);
      onDone?.();
      showIfHere((now) => afterSaving(now, shown, view));
    },
    onSettled,
  });
  const change = useMutation({
    mutationFn: ({ view: { id }, to }: { readonly view: SavedView; readonly to: Change }) =>
      api.savedViews.update({ id, ...to }),
    onSuccess: (now, { view: before, to }) => {
      knownAs(now);
      onDone?.();
      if (to.query === undefined) return;
      offerUndo({
        title: updated(now.name),
        undo: async (undoing) => {
          // A change between this read and the write is the only one that is not noticed.
          const current = await undoing.savedViews.get({ id: now.id });
          const isOurs = current.query === now.query;
          // The page keeps its filters, and offers to update the view again.
          knownAs(isOurs ? await undoing.savedViews.update({ id: now.id, query: before.query }) : current);
          await onSettled();
          return isOurs ? null : left(current.name);
        },
        failed: failed.restore(now.name),
      });
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => api.savedViews.delete({ id }),
    onSuccess: (_, { id, name, query }) => {
      known((views) => views.filter((one) => one.id !== id));
      showIfHere(({ view, ...filters }) =>
        view === undefined || view === id ? filters : { ...filters, view },
      );
      offerUndo({
        title: deleted(name),
        undo: async (undoing) => {
          const again = await undoing.savedViews.create({ name, query });
          known((views) => [...views, again]);
          // It has a new id. Filters that were chosen as another view since stay those of that one.
          showIfHere((now) => ({ ...now, view: now.view ?? again.id }));
          await onSettled();
        },
        failed: failed.restore(name),
      });
    },
    onSettled,
  });
  const start = (action: () => void) => {
    for (const one of [create, change, remove]) one.reset();
    action();
  };
  const outcome =
    change.error !== null ? (
      <Problem error={change.error} title={failed.update(change.variables.view.name)} />
    ) : remove.error !== null ? (
      <Problem error={remove.error} title={failed.delete(remove.variables.name)} />
    ) : null;
  return {
    /** Why the last change failed, to show above the views. */
    outcome,
    busy: create.isPending || change.isPending || remove.isPending,
    createError: create.error,
    changeError: change.error,
    create: (saving: Saving) => start(() => create.mutate(saving)),
    change: (view: SavedView, to: Change) => start(() => change.mutate({ view, to })),
    remove: (view: SavedView) => start(() => remove.mutate(view)),
    reset: () => start(() => undefined),
  };
}

/** Changes the address of the page, unless the person has left it, or is leaving for a page that is still loading. */
function useShowIfHere() {
  const navigate = route.useNavigate();
  const router = useRouter();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return (search: (now: TransactionsSearch) => TransactionsSearch) => {
    // matchRoute, while a page is loading, answers for the one that is being left.
    if (!isMounted.current || router.latestLocation.pathname !== APP_PATHS.transactions) return;
    navigate({ search, replace: true, resetScroll: false });
  };
}
