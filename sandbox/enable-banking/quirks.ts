import type { Json, JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import { coded } from './errors.ts';

const DAY_MS = 86_400_000;
/** How long after a sign-in banks show all of the past. */
const AFTER_SIGN_IN_MS = 180_000;

/**
 * What single banks do, from reports of people who read them through the vendor (docs/decisions/0041-enable-banking.md).
 */
export const QUIRKS = {
  no_reference: 'rows without `entry_reference`',
  late_reference: 'no `entry_reference` on the day of booking, and then the place in the list of that day',
  changing_reference: 'another `entry_reference` in every read',
  negative_amounts: 'amounts with a sign, in addition to the indicator',
  undated_pending: 'pending rows without any day',
  endless_pending: 'pending rows that stay on the list for a month after they were booked',
  no_booking_date: 'booked rows with only `value_date`',
  blank_remittance: 'blank lines in `remittance_information`',
  empty_pages: 'an empty page with a `continuation_key` in front',
  repeated_rows: 'the last row of each page on the next one again',
  no_currency: 'amounts of rows without a currency',
  only_available: 'one balance, of the type ITAV',
  untyped_balance: 'one balance, without a type',
  ninety_days: '422 for days before the last ninety, except in the minutes after a sign-in',
  two_years: 'ASPSP_ERROR for days before the last two years',
  vague_ninety_days: 'ASPSP_ERROR without a reason for days before the last ninety',
  no_balances: 'ASPSP_ERROR for balances',
  no_person: 'a refusal of headers about the person who waits',
  cancelled_rows: 'rejected and cancelled payments among the booked ones',
  four_reads: 'four reads a day of an account while the person is away, and then 429',
} as const;

export type Quirk = keyof typeof QUIRKS;

export function isQuirk(text: string): text is Quirk {
  return Object.hasOwn(QUIRKS, text);
}

type Change = (row: JsonObject, of: { readonly reads: number; readonly today: string }) => JsonObject;

const pending = ({ status }: JsonObject): boolean => status === 'PDNG';

const CHANGES: Partial<Record<Quirk, Change>> = {
  no_reference: (row) => ({ ...row, entry_reference: null }),
  late_reference: (row, { today }) => ({
    ...row,
    entry_reference: pending(row) || row.booking_date === today ? null : `${String(row.booking_date)}.0`,
  }),
  changing_reference: (row, { reads }) => ({
    ...row,
    entry_reference: digest('read', reads, String(row.entry_reference)).slice(0, 24),
  }),
  negative_amounts: (row) => withAmount(row, (amount) => signed(row, amount)),
  undated_pending: (row) =>
    pending(row) ? { ...row, booking_date: null, value_date: null, transaction_date: null } : row,
  no_booking_date: (row) => ({ ...row, booking_date: null }),
  blank_remittance: (row) => ({
    ...row,
    remittance_information: ['', '  ', ...lines(row.remittance_information), ''],
  }),
  no_currency: (row) => {
    const { currency: _, ...rest } = objectOf(row.transaction_amount);
    return { ...row, transaction_amount: rest };
  },
};

/** A row as the bank writes it. */
export function quirkyRow(
  row: JsonObject,
  quirks: ReadonlySet<Quirk>,
  of: { readonly reads: number; readonly today: string },
): JsonObject {
  return [...quirks].reduce((changed, quirk) => CHANGES[quirk]?.(changed, of) ?? changed, row);
}

/** Rows that a bank lists in addition: payments that never happened, one for each third booked row. */
export function unrealRows(rows: readonly JsonObject[], quirks: ReadonlySet<Quirk>): readonly JsonObject[] {
  if (!quirks.has('cancelled_rows')) return rows;
  return rows.flatMap((row, at) =>
    at % 3 === 0 && !pending(row)
      ? [
          row,
          {
            ...row,
            status: at % 2 === 0 ? 'CNCL' : 'RJCT',
            entry_reference: `void-${String(row.entry_reference)}`,
          },
        ]
      : [row],
  );
}

/** Refuses a first day that the bank does not accept. */
export function checkPeriod(
  from: string | null,
  quirks: ReadonlySet<Quirk>,
  { now, signedInAt }: { readonly now: number; readonly signedInAt: number },
): void {
  const first = from === null ? now : Date.parse(from);
  const today = now - (now % DAY_MS);
  const earliest = today - 89 * DAY_MS;
  if (quirks.has('ninety_days') && first < earliest && now - signedInAt > AFTER_SIGN_IN_MS) {
    const date_from = new Date(earliest).toISOString().slice(0, 10);
    const detail = JSON.stringify({ message: 'Requested period is too long', date_from });
    throw coded(422, 'WRONG_TRANSACTIONS_PERIOD', 'Wrong transactions period requested', detail);
  }
  if (quirks.has('vague_ninety_days') && first < earliest)
    throw coded(400, 'ASPSP_ERROR', 'Error interacting with ASPSP');
  if (quirks.has('two_years') && first < today - 730 * DAY_MS)
    throw coded(
      400,
      'ASPSP_ERROR',
      'Error interacting with ASPSP',
      'The dateFrom and dateTo must be within 2 years',
    );
}

function signed(row: JsonObject, amount: string): string {
  return row.credit_debit_indicator === 'DBIT' && !amount.startsWith('-') ? `-${amount}` : amount;
}

function withAmount(row: JsonObject, change: (amount: string) => string): JsonObject {
  const sent = objectOf(row.transaction_amount);
  return { ...row, transaction_amount: { ...sent, amount: change(String(sent.amount)) } };
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !isList(value) ? value : {};
}

function lines(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : [];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
