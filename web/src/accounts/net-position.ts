import type { Transaction } from '#client';
import { type Merchant, merchantOf } from '../api/merchants.ts';
import { dayAway, daysBetween } from '../format/days.ts';

/** An account whose balance now and whose movements are both known. */
export interface KnownAccount {
  /** Its current balance, in minor units of the currency of the position. */
  readonly balance: bigint;
  /** Movements in that currency. */
  readonly movements: readonly Pick<Movement, 'day' | 'amount'>[];
  /** The first day from which every movement is known. */
  readonly from: string;
}

interface PositionPoint {
  readonly day: string;
  /** What the accounts held at the end of the day. */
  readonly amount: bigint;
}

/**
 * The total of the accounts at the end of each day, up to today: from the current balances, going back through the
 * movements. It begins at `from`, or later if the movements of an account are known only from a later day.
 */
export function netPosition(
  accounts: readonly KnownAccount[],
  { from, today }: { readonly from: string; readonly today: string },
): readonly PositionPoint[] {
  if (accounts.length === 0) return [];
  const changes = new Map<string, bigint>();
  for (const { movements } of accounts) {
    for (const { day, amount } of movements) {
      // A bank may be a day ahead of the account record's zone. Its balance has the row already.
      const on = day > today ? today : day;
      changes.set(on, (changes.get(on) ?? 0n) + amount);
    }
  }
  const start = accounts.reduce((latest, one) => (one.from > latest ? one.from : latest), from);
  let amount = accounts.reduce((sum, one) => sum + one.balance, 0n);
  const points: PositionPoint[] = [];
  for (const day of daysBetween(start > today ? today : start, today).toReversed()) {
    points.push({ day, amount });
    amount -= changes.get(day) ?? 0n;
  }
  return points.toReversed();
}

/** The first day that has to be read for a position that begins at a day: rows may post days after their date. */
export function readFrom(day: string): string {
  return dayAway(day, -POSTING_DAYS);
}

const POSTING_DAYS = 10;

/** A posted transaction, reduced to what sums are made of. Days are local to the account. */
export interface Movement {
  readonly account: string;
  /** The day it posted, which is when the balance changed. */
  readonly day: string;
  /** The day of the transaction itself. */
  readonly spentOn: string;
  /** Minor units, negative for money that left. */
  readonly amount: bigint;
  readonly currency: string;
  /** The person's own category, by id. */
  readonly category: string | null;
  /** The provider's category. */
  readonly code: string | null;
  readonly merchant: Merchant;
}

/** Null for a row without any day, which says nothing about when. */
export function movementOf(row: Transaction): Movement | null {
  const { account, date, post_date, amount, category, provider_category } = row;
  const posted = post_date ?? date;
  if (posted === null) return null;
  return {
    account,
    day: posted,
    spentOn: date ?? posted,
    amount: BigInt(amount.amount),
    currency: amount.currency,
    category,
    code: provider_category,
    merchant: merchantOf(row),
  };
}
