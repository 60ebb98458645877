/** The parameters of a misbehaviour: it affects every row of every account unless it is narrowed. */
export type MisbehaviourSpec = {
  readonly name: MisbehaviourName;
  /** The vendor's id of the account that it is about; default all. */
  readonly account?: string;
  /** How many rows: the newest posted ones that the bank shows when it starts; default all. */
  readonly count?: number;
  /** One row in that many, chosen by id; default every row. */
  readonly every?: number;
  /** Days, for misbehaviours that use them. */
  readonly days?: number;
  /** What is written instead of the bank's value, for misbehaviours that write something. */
  readonly value?: unknown;
};

type Entry = {
  /** What it changes. */
  readonly of: 'rows' | 'pending' | 'pages' | 'accounts' | 'answer';
  readonly says: string;
};

/** Everything that a simulated bank can do wrong with its data (docs/sandbox.md#data-misbehaviours). */
export const MISBEHAVIOURS = {
  reissued_ids: { of: 'rows', says: 'the rows under new ids' },
  ids_per_session: { of: 'rows', says: 'other ids in every read' },
  shared_row_id: {
    of: 'rows',
    says: 'the same ids in every account: the newest row of each has one id, and so on',
  },
  two_rows_one_id: { of: 'rows', says: 'a row under the id of the row after it' },
  row_without_id: { of: 'rows', says: 'rows without an id' },
  row_not_an_object: { of: 'rows', says: 'a text instead of a row' },
  repeated_row: { of: 'rows', says: 'the same row twice under its id' },
  equal_rows: { of: 'rows', says: 'another row with the same content and its own id' },
  amount_with_separator: { of: 'rows', says: 'the amount as the text `1,234.56`, or as `value`' },
  amount_missing: { of: 'rows', says: 'no amount' },
  amount_as_float: { of: 'rows', says: 'the amount as a JSON number' },
  amount_exponent: { of: 'rows', says: 'the amount as `1e2`' },
  amount_more_decimals: { of: 'rows', says: 'more decimals than the currency has' },
  amount_zero: { of: 'rows', says: 'an amount of zero' },
  amount_changed: { of: 'rows', says: 'an amount that is a fifth larger' },
  sign_flipped: { of: 'rows', says: 'the amount with the opposite sign' },
  currency_changed: { of: 'rows', says: 'the rows in `value`, or USD' },
  currency_missing: { of: 'rows', says: 'no currency' },
  currency_lower_case: { of: 'rows', says: 'the currency in lower case' },
  unknown_status: { of: 'rows', says: 'the status `REVERSED`, or `value`' },
  unknown_type: { of: 'rows', says: 'a type that is in no list' },
  description_changed: { of: 'rows', says: 'the description after a prefix' },
  description_long: { of: 'rows', says: 'a description of 10,000 characters' },
  description_control_characters: { of: 'rows', says: 'a description with tabs, line breaks and escapes' },
  description_nul: { of: 'rows', says: 'a description with a NUL character' },
  description_lone_surrogate: { of: 'rows', says: 'a description with half a surrogate pair' },
  category_changed: { of: 'rows', says: 'another category' },
  day_corrected: { of: 'rows', says: 'the row `days` later, or one; earlier with a negative number' },
  moment_unreadable: { of: 'rows', says: 'an optional moment of `9999-12-31T23:59:59Z`, or `value`' },
  moment_without_zone: { of: 'rows', says: 'moments without a zone' },
  dated_in_future: { of: 'rows', says: 'the row dated `days` from now, or 30' },
  dated_before_opening: { of: 'rows', says: 'the row dated at the Unix epoch' },
  rows_vanish: { of: 'rows', says: 'missing rows, for `days` days or permanently' },
  late_history: { of: 'rows', says: 'nothing older than `days` days, or 30' },
  back_dated_history: { of: 'rows', says: '`count` additional rows, or one, dated `days` ago, or 20' },
  reversed_rows: { of: 'rows', says: 'each row with another that reverses it' },
  split_rows: { of: 'rows', says: 'two rows of half the amount instead of one' },
  merged_rows: { of: 'rows', says: 'one row of the sum instead of two' },
  no_rows: { of: 'rows', says: 'no rows at all, without an error' },
  sell_without_amount: { of: 'rows', says: 'a sale with units and a price, and no amount' },
  buy_with_zero_amount: { of: 'rows', says: 'a purchase with units and a price, and an amount of zero' },
  pending_other_id: { of: 'pending', says: 'a pending row under another id than the posted row will have' },
  pending_other_amount: { of: 'pending', says: 'a pending row of four fifths of the amount that posts' },
  pending_other_day: { of: 'pending', says: 'a pending row `days` before the day it posts on, or two' },
  pending_vanishes: { of: 'pending', says: 'no pending rows' },
  pending_never_settles: { of: 'pending', says: 'posted rows that are still marked as pending' },
  hold_expires: { of: 'pending', says: 'no pending rows older than `days` days, or seven' },
  duplicated_pages: { of: 'pages', says: 'each page twice' },
  overlapping_pages: { of: 'pages', says: 'the last row of each page on the next one again' },
  rows_shift: { of: 'pages', says: 'one more row at the front from the second page on' },
  repeated_page: { of: 'pages', says: 'the first page forever' },
  cursor_expires: { of: 'pages', says: 'a refusal of every page but the first' },
  account_missing: { of: 'accounts', says: 'a list without the account' },
  account_twice: { of: 'accounts', says: 'the account twice in the list' },
  account_renumbered: { of: 'accounts', says: 'the account under a new id, with the number it had' },
  account_currency_changed: { of: 'accounts', says: 'the account in `value`, or USD' },
  balance_in_token: { of: 'accounts', says: 'a balance in USDT, or `value`' },
  positive_debt: { of: 'accounts', says: 'the balance with the opposite sign' },
  accounts_empty: { of: 'accounts', says: 'no account, without an error' },
  no_content: { of: 'answer', says: '204 and no body' },
  empty_object: { of: 'answer', says: '200 and `{}`' },
  retry_after_date: { of: 'answer', says: '429 with a `Retry-After` that is a date, `days` from now or one' },
} as const satisfies Record<string, Entry>;

export type MisbehaviourName = keyof typeof MISBEHAVIOURS;

export function isMisbehaviour(name: string): name is MisbehaviourName {
  return Object.hasOwn(MISBEHAVIOURS, name);
}

/** What only the banks of one simulator do, which applies it itself: its control names them (docs/sandbox.md). */
export type QuirkSpec = {
  readonly quirk: string;
  /** The vendor's id of the bank that does it; default every bank. */
  readonly institution?: string;
};

/** A current quirk, listed among the misbehaviours. */
export type ArmedQuirk = { readonly id: number; readonly name: string; readonly institution?: string };

/** A current misbehaviour of a bank. */
export type ArmedMisbehaviour = MisbehaviourSpec & {
  readonly id: number;
  /** Sandbox time, epoch ms. */
  readonly since: number;
};
