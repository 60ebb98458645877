import type { Transaction } from '#client';
import { primaryCategoryOf, resolveCategory } from '../../../src/vocabulary/provider-categories.ts';

/**
 * The row as v2 would show it now that claims of a code have changed; the same object where nothing changes. Reading
 * all rows again would call the bank, although only the service's claims have changed.
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
