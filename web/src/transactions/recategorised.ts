import type { Transaction } from '#client';
import { primaryCategoryOf, resolveCategory } from '../../../src/vocabulary/provider-categories.ts';

/**
 * The row as v2 would show it now that claims of these codes have changed; the same object where nothing changes. Reading
 * all rows again would call the bank, although only the service's claims have changed. A row that is not where the
 * claims before led has a category of its own, which it keeps.
 */
export function recategorised(
  row: Transaction,
  changed: readonly string[],
  claims: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
): Transaction {
  const { provider_category: own, category } = row;
  if (own === null || !changed.some((code) => own === code || primaryCategoryOf(own) === code)) return row;
  const codes = { provider_category: own, primary_category: null };
  if (category !== resolveCategory(codes, before)) return row;
  const resolved = resolveCategory(codes, claims);
  return resolved === category ? row : { ...row, category: resolved };
}
