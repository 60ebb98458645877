import type { MisbehaviourSpec } from '../../sandbox/shared/misbehaviour-kinds.ts';

export type Simulated =
  | 'au_banking'
  | 'nz_banking'
  | 'up_bank'
  | 'enable_banking'
  | 'simplefin'
  | 'brokerage';

/** What one read over v2 answers while the bank misbehaves. */
export interface Expected {
  /** Rows answered; `shown`: as many as the bank then shows. */
  readonly rows: number | 'shown';
  /** Rows set aside; default none. */
  readonly rejected?: number;
  /** The same ids as before; default true. */
  readonly sameIds?: boolean;
}

/** One misbehaviour as the suite plays it and docs/bank-misbehaviour.md describes it. */
export interface Case {
  readonly name: MisbehaviourSpec['name'];
  readonly more?: Omit<MisbehaviourSpec, 'name'>;
  readonly providers: readonly Simulated[];
  /** Whether a destination then has to receive, change or keep something. */
  readonly reaches: boolean;
  /** What is answered, of so many posted rows and pending ones; null: an error of the bank's, and never a 500. */
  readonly expected: (posted: number, pending: number) => Expected | null;
}

/** Banks that send their rows in pages, and those that send everything in one answer. */
const PAGED = ['au_banking', 'nz_banking', 'up_bank', 'enable_banking'] as const;
const BANKS = [...PAGED, 'simplefin'] as const;
/** Where a row without an id is one that cannot be read. */
const WITH_IDS = BANKS.filter((provider) => provider !== 'enable_banking');
const ALL = [...BANKS, 'brokerage'] as const;
/** Where accounts are listed apart from rows. */
const LISTED = [...PAGED, 'brokerage'] as const;
/** Where the vendor marks pending rows on the row itself. */
const MARKED = ['au_banking', 'up_bank', 'enable_banking', 'simplefin'] as const;
/** Where each row names its currency. */
const WITH_CURRENCY = ['au_banking', 'up_bank', 'enable_banking'] as const;

const unchanged = (posted: number, pending: number): Expected => ({ rows: posted + pending });
const renamed = (posted: number, pending: number): Expected => ({ rows: posted + pending, sameIds: false });
const oneAside = (posted: number, pending: number): Expected => ({
  rows: posted + pending - 1,
  rejected: 1,
  sameIds: false,
});
const noneInMoney = (): Expected => ({ rows: 0, sameIds: false });
const more =
  (by: number) =>
  (posted: number, pending: number): Expected => ({
    rows: posted + pending + by,
    sameIds: false,
  });
const failed = (): null => null;

/** Every misbehaviour, in the order of the page. */
export const CASES: readonly Case[] = [
  { name: 'reissued_ids', providers: BANKS, reaches: true, expected: renamed },
  { name: 'ids_per_session', providers: BANKS, reaches: true, expected: renamed },
  { name: 'shared_row_id', providers: BANKS, reaches: true, expected: renamed },
  { name: 'two_rows_one_id', more: { count: 1 }, providers: BANKS, reaches: true, expected: renamed },
  { name: 'row_without_id', more: { count: 1 }, providers: WITH_IDS, reaches: true, expected: oneAside },
  {
    name: 'row_without_id',
    more: { count: 1 },
    providers: ['enable_banking'],
    reaches: true,
    expected: renamed,
  },
  { name: 'row_not_an_object', more: { count: 1 }, providers: ALL, reaches: true, expected: oneAside },
  { name: 'repeated_row', more: { count: 1 }, providers: BANKS, reaches: true, expected: unchanged },
  { name: 'equal_rows', more: { count: 1 }, providers: ALL, reaches: true, expected: more(1) },
  { name: 'amount_with_separator', more: { count: 1 }, providers: ALL, reaches: true, expected: oneAside },
  { name: 'amount_missing', more: { count: 1 }, providers: BANKS, reaches: true, expected: oneAside },
  {
    name: 'amount_as_float',
    more: { count: 1 },
    providers: ['nz_banking', 'brokerage', 'enable_banking'],
    reaches: true,
    expected: unchanged,
  },
  {
    name: 'amount_exponent',
    more: { count: 1 },
    providers: ['au_banking'],
    reaches: true,
    expected: oneAside,
  },
  {
    name: 'amount_exponent',
    more: { count: 1 },
    providers: ['up_bank', 'enable_banking', 'simplefin'],
    reaches: true,
    expected: unchanged,
  },
  {
    name: 'amount_more_decimals',
    more: { count: 1 },
    providers: ['au_banking'],
    reaches: true,
    expected: unchanged,
  },
  { name: 'amount_zero', more: { count: 1 }, providers: BANKS, reaches: true, expected: unchanged },
  { name: 'amount_changed', more: { count: 1 }, providers: BANKS, reaches: true, expected: unchanged },
  { name: 'sign_flipped', more: { count: 1 }, providers: BANKS, reaches: true, expected: unchanged },
  {
    name: 'currency_changed',
    more: { count: 1 },
    providers: WITH_CURRENCY,
    reaches: true,
    expected: unchanged,
  },
  {
    name: 'currency_missing',
    more: { count: 1 },
    providers: ['au_banking', 'brokerage', 'enable_banking'],
    reaches: true,
    expected: unchanged,
  },
  {
    name: 'currency_lower_case',
    more: { count: 1 },
    providers: WITH_CURRENCY,
    reaches: true,
    expected: unchanged,
  },
  {
    name: 'unknown_status',
    more: { count: 1 },
    providers: ['au_banking', 'enable_banking'],
    reaches: true,
    expected: unchanged,
  },
  { name: 'unknown_type', more: { count: 1 }, providers: PAGED, reaches: true, expected: unchanged },
  { name: 'description_changed', more: { count: 1 }, providers: BANKS, reaches: true, expected: unchanged },
  { name: 'description_long', more: { count: 1 }, providers: ALL, reaches: true, expected: unchanged },
  {
    name: 'description_control_characters',
    more: { count: 1 },
    providers: ALL,
    reaches: true,
    expected: unchanged,
  },
  { name: 'description_nul', more: { count: 1 }, providers: ALL, reaches: true, expected: unchanged },
  {
    name: 'description_lone_surrogate',
    more: { count: 1 },
    providers: ALL,
    reaches: true,
    expected: unchanged,
  },
  { name: 'category_changed', more: { count: 1 }, providers: PAGED, reaches: true, expected: unchanged },
  {
    name: 'day_corrected',
    more: { count: 1, days: -1 },
    providers: BANKS,
    reaches: true,
    expected: unchanged,
  },
  { name: 'moment_unreadable', more: { count: 1 }, providers: ALL, reaches: true, expected: unchanged },
  {
    name: 'moment_without_zone',
    more: { count: 1 },
    providers: ['au_banking'],
    reaches: true,
    expected: unchanged,
  },
  { name: 'dated_in_future', more: { count: 1 }, providers: BANKS, reaches: true, expected: more(-1) },
  { name: 'dated_before_opening', more: { count: 1 }, providers: BANKS, reaches: true, expected: more(-1) },
  { name: 'rows_vanish', more: { count: 1 }, providers: ALL, reaches: true, expected: more(-1) },
  {
    name: 'late_history',
    more: { days: 4 },
    providers: ALL,
    reaches: true,
    expected: () => ({ rows: 'shown', sameIds: false }),
  },
  { name: 'back_dated_history', providers: ALL, reaches: true, expected: more(1) },
  { name: 'reversed_rows', more: { count: 1 }, providers: ALL, reaches: true, expected: more(1) },
  { name: 'split_rows', more: { count: 1 }, providers: ALL, reaches: true, expected: more(1) },
  {
    name: 'merged_rows',
    more: { count: 1 },
    providers: ALL,
    reaches: true,
    expected: more(-1),
  },
  { name: 'no_rows', providers: ALL, reaches: true, expected: () => ({ rows: 0, sameIds: false }) },
  {
    name: 'sell_without_amount',
    more: { count: 1 },
    providers: ['brokerage'],
    reaches: true,
    expected: renamed,
  },
  {
    name: 'buy_with_zero_amount',
    more: { count: 1 },
    providers: ['brokerage'],
    reaches: true,
    expected: renamed,
  },
  { name: 'pending_other_id', providers: MARKED, reaches: true, expected: renamed },
  { name: 'pending_other_amount', providers: BANKS, reaches: true, expected: renamed },
  { name: 'pending_other_day', providers: BANKS, reaches: true, expected: renamed },
  {
    name: 'pending_vanishes',
    providers: BANKS,
    reaches: true,
    expected: (posted) => ({ rows: posted, sameIds: false }),
  },
  {
    name: 'pending_never_settles',
    more: { count: 1 },
    providers: MARKED,
    reaches: true,
    expected: renamed,
  },
  {
    name: 'hold_expires',
    more: { days: 0 },
    providers: BANKS,
    reaches: true,
    expected: (posted) => ({ rows: posted, sameIds: false }),
  },
  { name: 'duplicated_pages', providers: PAGED, reaches: false, expected: unchanged },
  { name: 'overlapping_pages', providers: PAGED, reaches: false, expected: unchanged },
  { name: 'rows_shift', providers: PAGED, reaches: false, expected: unchanged },
  { name: 'repeated_page', providers: PAGED, reaches: false, expected: failed },
  { name: 'cursor_expires', providers: PAGED, reaches: false, expected: unchanged },
  { name: 'currency_missing', more: { count: 1 }, providers: ['up_bank'], reaches: true, expected: oneAside },
  {
    name: 'moment_without_zone',
    more: { count: 1 },
    providers: ['nz_banking', 'up_bank'],
    reaches: true,
    expected: oneAside,
  },
  { name: 'account_missing', providers: ['nz_banking'], reaches: false, expected: failed },
  {
    name: 'account_missing',
    providers: ['au_banking', 'up_bank', 'brokerage'],
    reaches: false,
    expected: unchanged,
  },
  { name: 'account_twice', providers: LISTED, reaches: false, expected: unchanged },
  { name: 'account_renumbered', providers: ['au_banking'], reaches: false, expected: failed },
  { name: 'account_currency_changed', providers: ['au_banking'], reaches: false, expected: unchanged },
  // Rows of New Zealand name no currency: an account in points of a loyalty scheme has none in money.
  { name: 'balance_in_token', providers: ['nz_banking'], reaches: false, expected: noneInMoney },
  {
    name: 'balance_in_token',
    providers: LISTED.filter((provider) => provider !== 'nz_banking'),
    reaches: false,
    expected: unchanged,
  },
  { name: 'positive_debt', providers: LISTED, reaches: false, expected: unchanged },
  { name: 'accounts_empty', providers: ['au_banking'], reaches: false, expected: unchanged },
  { name: 'no_content', providers: ALL, reaches: false, expected: failed },
  { name: 'empty_object', providers: ALL, reaches: false, expected: failed },
  { name: 'retry_after_date', providers: ALL, reaches: false, expected: failed },
];
