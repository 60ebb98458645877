import Big from 'big.js';
import type { Reading } from '../reading.ts';

/** A row with a running balance. */
export interface BalancedRow {
  readonly amount: string;
  readonly balance: string;
}

export interface BalanceRelation {
  /** Whether the newest row comes first. */
  readonly newestFirst: boolean;
  /** Whether an amount is subtracted, because positive ones are money spent. */
  readonly subtracted: boolean;
}

/** Rows that are compared; more prove nothing more. */
const ENOUGH = 2_000;
const LEAST_SHARE = 0.8;
const WORK = 200;

/**
 * How the balances follow from the amounts, if that is the case for most of the rows, or null. Rows without an amount
 * decide nothing; two rows at least are needed.
 */
export async function balanceRelation(
  rows: readonly BalancedRow[],
  reading: Reading,
): Promise<BalanceRelation | null> {
  const counts = new Map<string, number>();
  let compared = 0;
  for (let at = 1; at < Math.min(rows.length, ENOUGH); at += 1) {
    const [before, after] = [rows[at - 1], rows[at]];
    if (before === undefined || after === undefined) break;
    if (reading.worked(WORK)) await reading.pause();
    const step = new Big(after.balance).minus(before.balance);
    if (step.eq(0)) continue;
    compared += 1;
    // Oldest first, a balance has its own row in it; newest first, it has the row that comes before it taken off.
    if (step.eq(after.amount)) count(counts, 'oldest added');
    if (step.eq(new Big(after.amount).neg())) count(counts, 'oldest subtracted');
    if (step.eq(new Big(before.amount).neg())) count(counts, 'newest added');
    if (step.eq(before.amount)) count(counts, 'newest subtracted');
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < Math.max(1, compared * LEAST_SHARE)) return null;
  const [name] = best;
  // The same amount in every row fits more than one, and decides the sign only.
  const rivals = [...counts]
    .filter(([other, times]) => other !== name && times === best[1])
    .map(([other]) => other);
  if (rivals.some((other) => other.endsWith('subtracted') !== name.endsWith('subtracted'))) return null;
  return { newestFirst: name.startsWith('newest'), subtracted: name.endsWith('subtracted') };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
