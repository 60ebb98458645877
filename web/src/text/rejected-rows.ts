import type { RefusedReason, SetAsideField, SetAsideReason } from '../../../src/vocabulary/set-aside-rows.ts';
import { counted } from '../format/numbers.ts';

const FIELDS: Readonly<Record<SetAsideField, string>> = {
  id: 'id',
  account: 'account',
  amount: 'amount',
  currency: 'currency',
  date: 'date',
  trade_date: 'date',
  symbol: 'security',
  quantity: 'quantity',
  price: 'price',
  total_amount: 'amount',
  row: 'row',
};

const REASONS: Readonly<Record<SetAsideReason, (what: string) => string>> = {
  missing: (what) => `The bank sent no ${what}.`,
  unreadable: (what) => `The ${what} that the bank sent cannot be read.`,
  out_of_range: (what) => `The ${what} that the bank sent is out of range.`,
  too_long: (what) => `The ${what} that the bank sent is too long.`,
  contradictory: (what) => `The bank sent two different values of the ${what}.`,
  other_account: () => 'The row names another account.',
};

const REFUSED: Readonly<Record<RefusedReason, string>> = {
  amount_not_taken: 'The amount has more digits or decimals than the destination takes.',
  other_currency: 'The currency is not the one of the destination.',
  day_not_taken: 'The destination does not take the date.',
  too_large: 'The row is larger than the destination takes.',
  refused: 'The destination refused the row.',
};

const refused = new Map<string, string>(Object.entries(REFUSED));
const words = new Map<string, (what: string) => string>(Object.entries(REASONS));
const names = new Map<string, string>(Object.entries(FIELDS));

interface Rejection {
  readonly origin: 'provider' | 'destination';
  readonly field: string | null;
  readonly reason: string;
}

/** Rows that a run could not deliver. */
export const REJECTED_ROWS = {
  title: 'Rejected rows',
  noDay: 'No day',
  noId: 'No id',
  why: ({ origin, field, reason }: Rejection) => {
    const what = names.get(field ?? 'row') ?? 'row';
    if (origin === 'destination') return refused.get(reason) ?? REFUSED.refused;
    return (words.get(reason) ?? REASONS.unreadable)(what);
  },
  more: (count: number) => `${counted(count, 'further row is', 'further rows are')} not listed here.`,
} as const;
