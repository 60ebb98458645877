import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Category, Transaction, Tributary } from '#client';
import { undoOf } from './claim-undo.ts';
import { api } from './client.ts';
import { heldRows } from './held-rows.ts';

export type ClaimedCategory = Awaited<ReturnType<Tributary['categories']['claimSources']>>;

/** The whole tree: each group, followed by its categories. */
export const categories = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => api.categories.list({}, { signal }).all(),
});

/** The name of each category, by id. */
export const categoryNames = queryOptions({
  ...categories,
  select: (all: readonly Category[]) => new Map(all.map(({ id, name }) => [id, name])),
});

/** Every code that banks give rows. They change only with a release of the service. */
export const providerCategories = queryOptions({
  queryKey: ['provider categories'],
  queryFn: ({ signal }) => api.providerCategories.list({}, { signal }).all(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Refetches everything that shows categories: the tree, and the rows and sums that depend on it. */
export function categoriesChanged(queries: QueryClient): Promise<unknown> {
  heldRows.forget();
  return Promise.all(
    ['categories', 'transactions', 'histories', 'latest-transactions'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  );
}

export interface Claim {
  readonly claimed: ClaimedCategory;
  /**
   * Gives every code back to the category that claimed it before, or to none. Returns how many it could not, because
   * someone else has changed them since.
   */
  readonly undo: (undoing: typeof api) => Promise<number>;
}

interface ClaimChange {
  readonly add: readonly string[];
  readonly remove?: readonly string[];
}

/**
 * Makes a category claim more codes, which others may lose, or fewer. Its claims are read first, because a page that was
 * opened a while ago may lack those made elsewhere since.
 */
export async function changeClaims(id: string, { add, remove = [] }: ClaimChange): Promise<Claim> {
  const { sources: before } = await api.categories.get({ id });
  const wanted = new Set([...before, ...add]).difference(new Set(remove));
  const claimed = await api.categories.claimSources({ id, sources: [...wanted] });
  const earlier = new Map(
    claimed.released_from.flatMap(({ category, sources }) =>
      sources.map((code) => [code, category] as const),
    ),
  );
  const changed = {
    category: id,
    added: Map.groupBy(
      [...wanted].filter((code) => !before.includes(code)),
      (code) => earlier.get(code) ?? null,
    ),
    removed: before.filter((code) => !wanted.has(code)),
  };
  const undo = async (undoing: typeof api) => {
    // A change between this read and the writes is the only one that is not noticed.
    const { writes, left } = undoOf(changed, await undoing.categories.list().all());
    for (const write of writes)
      await undoing.categories.claimSources({ ...write, sources: [...write.sources] });
    return left.length;
  };
  return { claimed, undo };
}

/** Takes back what was given. Returns what each transaction has now; null if its code decides. */
export type Undoing = (undoing: typeof api) => Promise<ReadonlyMap<string, string | null>>;

/** As many as one request may name (`assigned_transactions`, docs/limits.md). */
const MOST_ASSIGNED = 500;

/** Gives single transactions a category of their own; null takes it back. Returns how to undo that. */
export async function assignCategory(
  category: string | null,
  rows: readonly Pick<Transaction, 'id' | 'account'>[],
): Promise<Undoing> {
  const before: Assigned[] = [];
  for (const [account, own] of Map.groupBy(rows, (row) => row.account)) {
    const ids = own.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += MOST_ASSIGNED) {
      const transactions = ids.slice(at, at + MOST_ASSIGNED);
      const changed = await api.categoryAssignments.assignCategory({ account, transactions, category });
      for (const { transaction, previous } of changed.transactions)
        before.push({ account, transaction, category: previous });
    }
  }
  return async (undoing) => {
    for (const own of Map.groupBy(before, (one) => `${one.account} ${one.category}`).values())
      for (let at = 0; at < own.length; at += MOST_ASSIGNED) {
        const some = own.slice(at, at + MOST_ASSIGNED);
        const [first] = some;
        if (first === undefined) continue;
        const transactions = some.map(({ transaction }) => transaction);
        const { account, category: earlier } = first;
        await undoing.categoryAssignments.assignCategory({ account, category: earlier, transactions });
      }
    return new Map(before.map(({ transaction, category: earlier }) => [transaction, earlier]));
  };
}

interface Assigned {
  readonly account: string;
  readonly transaction: string;
  readonly category: string | null;
}
