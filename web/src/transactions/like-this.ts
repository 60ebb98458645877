import type { RuleCondition, Transaction } from '#client';
import { folded } from '../../../src/vocabulary/text-folding.ts';

export const LIKENESSES = ['merchant', 'contains', 'equals'] as const;
export type Likeness = (typeof LIKENESSES)[number];

/** Which transactions are meant by "like this one". */
export interface LikeThis {
  readonly likeness: Likeness;
  readonly text: string;
  /** Only rows of this account; of every account where it is null. */
  readonly account: string | null;
  /** Only money in this direction; either where it is null. */
  readonly direction: Transaction['direction'] | null;
}

/** Longest text that a condition may hold (`rule_text_characters`, docs/limits.md). */
export const MOST_TEXT = 500;

/** Who or what a row is about, as lists show it. */
export function nameOf({ merchant_name: merchant, description }: Transaction): string {
  return merchant ?? description;
}

/** As many as a person chooses from. */
const MOST_EXAMPLES = 50;

/** One row for each name among these, those of the most frequent names first. */
export function examplesOf(rows: readonly Transaction[]): readonly Transaction[] {
  return [...Map.groupBy(rows, (row) => folded(nameOf(row))).values()]
    .toSorted((one, other) => other.length - one.length)
    .flatMap(([first]) => first ?? [])
    .slice(0, MOST_EXAMPLES);
}

/** What can be compared; rows without a merchant cannot be compared by it. */
export function likenessesOf({ merchant_name: merchant }: Transaction): readonly Likeness[] {
  return LIKENESSES.filter((one) => one !== 'merchant' || (merchant !== null && merchant.trim() !== ''));
}

/** The text that a likeness begins with, for the person to change. */
export function textOf({ merchant_name: merchant, description }: Transaction, likeness: Likeness): string {
  const text =
    likeness === 'merchant'
      ? (merchant ?? '')
      : likeness === 'equals'
        ? description
        : stablePart(description);
  return text.slice(0, MOST_TEXT);
}

/**
 * The longest part of a description without a word that has digits in it: card numbers, dates and receipts differ from
 * one purchase to the next.
 */
function stablePart(description: string): string {
  const runs = description.split(/\S*\d\S*/).map((run) => run.trim());
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === '' ? description.trim() : longest;
}

/** The conditions of a rule that matches the same rows. */
export function conditionsOf(like: LikeThis): RuleCondition {
  const leaves: RuleCondition[] = [
    {
      field: like.likeness === 'merchant' ? 'merchant_name' : 'description',
      operator: like.likeness === 'contains' ? 'contains' : 'equals',
      value: like.text,
      case_sensitive: false,
    },
  ];
  if (like.account !== null)
    leaves.push({ field: 'account', operator: 'equals', value: like.account, case_sensitive: false });
  if (like.direction !== null)
    leaves.push({ field: 'direction', operator: 'equals', value: like.direction, case_sensitive: false });
  return { all: leaves };
}

/** Whether a row is meant, as the service decides it for the rule (docs/rules.md#conditions). */
export function likeTest(
  like: LikeThis,
): (row: Pick<Transaction, 'account' | 'direction' | 'description' | 'merchant_name'>) => boolean {
  const wanted = folded(like.text);
  return (row) => {
    if (like.account !== null && row.account !== like.account) return false;
    if (like.direction !== null && row.direction !== like.direction) return false;
    const text = like.likeness === 'merchant' ? row.merchant_name : row.description;
    if (text === null) return false;
    return like.likeness === 'contains' ? folded(text).includes(wanted) : folded(text) === wanted;
  };
}
