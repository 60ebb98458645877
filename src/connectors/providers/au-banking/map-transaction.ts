import {
  addDays,
  isLocalDate,
  isMoment,
  type LocalDate,
  localDateAt,
  parseInstant,
} from '../../../vocabulary/moments.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import {
  directionOf,
  type Transaction,
  type TransactionClass,
  type TransactionStatus,
} from '../../../vocabulary/transactions.ts';
import { inner, isSent, text, type WireObject } from '../kit/json.ts';
import { moneyIn, type RowFace, requiredId, UnusableMember } from '../kit/set-aside.ts';

/** The context of a row. `currency`: for a row without one. */
export interface RowContext {
  readonly timezone: string;
  readonly currency: string;
}

/** Types of the banks' standard (CDS, banking transaction). Others, including future ones, are `other`. */
const CLASSES: ReadonlyMap<string, TransactionClass> = new Map([
  ['DIRECT_DEBIT', 'payment'],
  ['FEE', 'fee'],
  ['INTEREST_CHARGED', 'interest'],
  ['INTEREST_PAID', 'interest'],
  ['PAYMENT', 'payment'],
  ['TRANSFER_INCOMING', 'transfer'],
  ['TRANSFER_OUTGOING', 'transfer'],
]);
/** From this confidence on, the vendor's detailed code is used rather than the primary one. */
const CONFIDENT: ReadonlySet<string> = new Set(['HIGH', 'VERY_HIGH']);
const MAX_ID = 200;
/** A time without an offset: some banks send only the day, or the day and a local time. */
const UNZONED = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;

interface WireMoment {
  readonly day: LocalDate;
  /** As sent; null if it is not an instant. */
  readonly instant: string | null;
}

/**
 * One transaction. Unknown members and values are accepted; an amount that is not an exact decimal, a row without id
 * and a posted row without any time raise UnusableMember, since guessing them would be inventing data.
 */
export function mapTransaction(row: WireObject, context: RowContext): Transaction {
  const id = requiredId(row, MAX_ID, 'fiskil_id', 'fiskilId');
  const { posting, execution, value } = momentsOf(row, context.timezone);
  const status = statusOf(text(row, 'status'), posting);
  const at = execution ?? posting ?? value;
  if (at === null && status === 'posted') throw new UnusableMember('date', 'missing');
  const decimal = text(row, 'amount');
  if (decimal === null && isSent(row.amount)) throw new UnusableMember('amount', 'unreadable');
  const currency = text(row, 'currency');
  if (currency === null && isSent(row.currency)) throw new UnusableMember('currency', 'unreadable');
  const amount = moneyIn('amount', decimal, currency ?? context.currency);
  const reference = text(row, 'reference');
  const category = inner(row, 'category');
  const primary = category === null ? null : text(category, 'primary_category', 'primaryCategory');
  return {
    id: providerRowId('transaction', 'au_banking', id),
    status,
    date: at === null ? null : at.day,
    datetime: at === null ? null : at.instant,
    post_date: posting === null ? null : posting.day,
    post_datetime: posting === null ? null : posting.instant,
    value_date: value === null ? null : value.day,
    value_datetime: value === null ? null : value.instant,
    description: text(row, 'description') ?? reference ?? '',
    reference,
    extended_description: extendedDescription(row),
    amount,
    amount_decimal: decimal ?? '',
    direction: directionOf(amount.amount),
    class: CLASSES.get(text(row, 'type') ?? '') ?? 'other',
    provider_category: category === null ? null : (confidentCode(category) ?? primary),
    primary_category: primary,
    merchant_name: text(row, 'merchant_name', 'merchantName'),
    merchant_category_code: text(row, 'merchant_category_code', 'merchantCategoryCode'),
  };
}

/** The account that a row names; null if it names none. */
export function accountOf(row: WireObject): string | null {
  return text(row, 'account_id', 'accountId');
}

/** What is known about a row that cannot be shown. */
export function faceOf(row: WireObject, { timezone }: Pick<RowContext, 'timezone'>): RowFace {
  const id = text(row, 'fiskil_id', 'fiskilId');
  const { posting, execution, value } = momentsOf(row, timezone);
  return {
    id: id === null || id.length > MAX_ID ? null : providerRowId('transaction', 'au_banking', id),
    day: (execution ?? posting ?? value)?.day ?? null,
  };
}

/** Whether a row is posted or pending, whatever else of it is readable; null if it says neither. */
export function wireStatus(
  row: WireObject,
  { timezone }: Pick<RowContext, 'timezone'>,
): TransactionStatus | null {
  const status = text(row, 'status');
  const { posting } = momentsOf(row, timezone);
  return status === null && posting === null ? null : statusOf(status, posting);
}

function momentsOf(row: WireObject, timezone: string) {
  return {
    posting: moment(text(row, 'posting_date_time', 'postingDateTime'), timezone),
    execution: moment(text(row, 'execution_date_time', 'executionDateTime'), timezone),
    value: moment(text(row, 'value_date_time', 'valueDateTime'), timezone),
  };
}

/** The time that the vendor filters and orders by: posting, else execution; epoch milliseconds, or null. */
export function effectiveInstant(row: WireObject): number | null {
  const sent = effectiveText(row);
  return sent === null ? null : parseInstant(sent);
}

/** The same time as sent: equal text means the same time. */
export function effectiveText(row: WireObject): string | null {
  return (
    text(row, 'posting_date_time', 'postingDateTime') ?? text(row, 'execution_date_time', 'executionDateTime')
  );
}

/** An undocumented status counts as posted exactly if the bank has booked the row. */
function statusOf(status: string | null, posting: WireMoment | null): TransactionStatus {
  if (status === 'POSTED' || status === 'posted') return 'posted';
  if (status === 'PENDING' || status === 'pending') return 'pending';
  return posting === null ? 'pending' : 'posted';
}

function moment(sent: string | null, zone: string): WireMoment | null {
  if (sent === null) return null;
  const at = parseInstant(sent);
  if (at !== null) return { day: localDateAt(at, zone), instant: sent };
  const day = UNZONED.exec(sent)?.[1];
  return day !== undefined && isLocalDate(day) && isMoment(Date.parse(day)) ? { day, instant: null } : null;
}

function confidentCode(category: WireObject): string | null {
  const confidence = text(category, 'confidence_level', 'confidenceLevel');
  return confidence !== null && CONFIDENT.has(confidence)
    ? text(category, 'secondary_category', 'secondaryCategory')
    : null;
}

/** The payer's longer text of a fast payment, from the vendor's current or former member for it. */
function extendedDescription(row: WireObject): string | null {
  const data = inner(row, 'extended_data', 'extendedData');
  if (data === null) return null;
  const payload =
    inner(data, 'npp_payload', 'nppPayload') ?? inner(data, 'x2p101_payload', 'x2p101Payload') ?? data;
  return text(payload, 'extended_description', 'extendedDescription');
}

/** How many days wider the vendor's window must be than the requested one. */
const EARLIER_DAYS = 1;
/** Most purchases are posted within a week, and some merchants take longer. */
const POSTING_LAG_DAYS = 14;

/** First and last day to ask for: the vendor uses the time of posting, our window the day of the purchase. */
export function widened(from: LocalDate, to: LocalDate): { from: LocalDate; to: LocalDate } {
  return { from: addDays(from, -EARLIER_DAYS), to: addDays(to, EARLIER_DAYS + POSTING_LAG_DAYS) };
}
