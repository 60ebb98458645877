import { primaryCategoryOf } from './provider-categories.ts';
import type { Transaction } from './transactions.ts';

/**
 * The category a row resolves to (docs/categories.md): the one that claims its subcategory code, else the one that claims
 * its primary code, else null. `claims`: which category claims each code. Pure.
 */
export function resolveCategory<C>(
  row: Pick<Transaction, 'provider_category' | 'primary_category'>,
  claims: ReadonlyMap<string, C>,
): C | null {
  const { provider_category: code, primary_category } = row;
  const own = code === null ? undefined : claims.get(code);
  if (own !== undefined) return own;
  const primary = primary_category ?? (code === null ? null : primaryCategoryOf(code));
  return (primary === null ? undefined : claims.get(primary)) ?? null;
}
