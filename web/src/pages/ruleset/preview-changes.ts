import type { RulesetPreviewRow } from '#client';

export type ChangedField = 'description' | 'merchant' | 'reference' | 'amount' | 'category' | 'memo' | 'tags';

/** A member of a row before and after; null stands for nothing. */
export interface Change {
  readonly field: ChangedField;
  readonly before: string | null;
  readonly after: string | null;
}

interface Words {
  readonly category: (id: string) => string;
  readonly money: (amount: number, currency: string) => string;
}

/** What rules changed of a row, member by member. Nothing for a row that is skipped. */
export function changesOf({ before, after, memo, tags }: RulesetPreviewRow, words: Words): readonly Change[] {
  if (after === null) return [];
  const category = (id: string | null) => (id === null ? null : words.category(id));
  const all: readonly Change[] = [
    { field: 'description', before: before.description, after: after.description },
    { field: 'merchant', before: before.merchant_name, after: after.merchant_name },
    { field: 'reference', before: before.reference, after: after.reference },
    {
      field: 'amount',
      before: words.money(before.amount.amount, before.amount.currency),
      after: words.money(after.amount.amount, after.amount.currency),
    },
    { field: 'category', before: category(before.category), after: category(after.category) },
    { field: 'memo', before: null, after: memo },
    { field: 'tags', before: null, after: tags.length === 0 ? null : tags.join(', ') },
  ];
  return all.filter((one) => one.before !== one.after);
}

export type PreviewFilter = 'this' | 'matched' | 'all';

/** The rows to show. `place`: that of the rule being edited, for the filter `this`. */
export function filtered(
  rows: readonly RulesetPreviewRow[],
  filter: PreviewFilter,
  place: number | null,
): readonly RulesetPreviewRow[] {
  if (filter === 'all') return rows;
  if (filter === 'matched' || place === null) return rows.filter(({ rules }) => rules.length > 0);
  return rows.filter(({ rules }) => rules.some(({ position }) => position === place));
}
