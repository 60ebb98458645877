import type { Category } from '#client';
import type { CategoryMoves } from './use-category-moves.ts';

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
