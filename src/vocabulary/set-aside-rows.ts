import type { LocalDate } from './moments.ts';
import type { Refusal } from './verifications.ts';

/** Why a member of a provider's row cannot be used (docs/rows-set-aside.md#reasons). */
export const SET_ASIDE_REASONS = [
  'missing',
  'unreadable',
  'out_of_range',
  'too_long',
  'contradictory',
  'other_account',
] as const;
export type SetAsideReason = (typeof SET_ASIDE_REASONS)[number];

/** Members of v2 without which a row cannot be shown (docs/rows-set-aside.md#fields). `row`: the row as a whole. */
export const SET_ASIDE_FIELDS = [
  'id',
  'account',
  'amount',
  'currency',
  'date',
  'trade_date',
  'symbol',
  'quantity',
  'price',
  'total_amount',
  'row',
] as const;
export type SetAsideField = (typeof SET_ASIDE_FIELDS)[number];

/** A row of a provider that cannot be read: which one and why, never its contents. */
export interface SetAsideRow {
  /** The tagged v2 id; null if the row has no readable one. */
  readonly id: string | null;
  /** Identifies the row later: its id, or else a SHA-256 of the row as sent, of which only a keyed MAC is stored. */
  readonly key: string;
  /** Null if the row has no readable day. */
  readonly day: LocalDate | null;
  readonly field: SetAsideField;
  readonly reason: SetAsideReason;
}

/** Receives a row that was set aside. */
export type SetAside = (row: SetAsideRow) => void;

/** Who could not read a row from the provider, or refused it from us: this service, or the destination. */
export const REJECTION_ORIGINS = ['provider', 'destination'] as const;
export type RejectionOrigin = (typeof REJECTION_ORIGINS)[number];

/** What is wrong with a row that a destination refused, and why (docs/rows-set-aside.md#refused-by-a-destination). */
export const REFUSED_ROWS = {
  amount: { field: 'amount', reason: 'amount_not_taken' },
  currency: { field: 'currency', reason: 'other_currency' },
  day: { field: 'date', reason: 'day_not_taken' },
  size: { field: 'row', reason: 'too_large' },
  unknown: { field: 'row', reason: 'refused' },
} as const satisfies Record<Refusal | 'unknown', { readonly field: SetAsideField; readonly reason: string }>;
export type RefusedReason = (typeof REFUSED_ROWS)[keyof typeof REFUSED_ROWS]['reason'];

/** Members of a balance that may be unreadable while the account is not (docs/resources.md#balance). */
export const BALANCE_FIELDS = ['currency', 'current', 'available'] as const;
export type BalanceField = (typeof BALANCE_FIELDS)[number];

/** Why a balance, or one of its amounts, is null although the bank sent one. */
export interface UnreadableBalance {
  readonly field: BalanceField;
  readonly reason: SetAsideReason;
}
