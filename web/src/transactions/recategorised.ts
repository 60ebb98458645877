import type { Transaction } from '#client';
import { primaryCategoryOf, resolveCategory } from '../../../src/vocabulary/provider-categories.ts';

/**
 * The row as v2 would show it now that claims of a code have changed; the same object where nothing changes. Reading
 * all rows again would ask the bank for what only the service's own answer decides.
 */
export function recategorised(
  row: Transaction,
  code: string,
  claims: ReadonlyMap<string, string>,
): Transaction {
  const { provider_category: own, category } = row;
  if (own === null || (own !== code && primaryCategoryOf(own) !== code)) return row;
  const resolved = resolveCategory({ provider_category: own, primary_category: null }, claims);
  return resolved === category ? row : { ...row, category: resolved };
}
