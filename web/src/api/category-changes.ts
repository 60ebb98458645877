import type { QueryClient } from '@tanstack/react-query';

/** Has everything read again that shows categories: the tree, and the rows and sums that are sorted by it. */
export function categoriesChanged(queries: QueryClient): Promise<unknown> {
  return Promise.all(
    ['categories', 'transactions', 'histories'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  );
}
