import { formatInstant, isMoment, type LocalDate, localDateAt } from '../../../vocabulary/moments.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import { directionOf, type Transaction, type TransactionStatus } from '../../../vocabulary/transactions.ts';
import { decimal } from '../kit/decimal.ts';
import { inner, isSent, text, type WireObject } from '../kit/json.ts';
import { mapped, moneyIn, type RowFace, requiredId, UnusableMember } from '../kit/set-aside.ts';
import { digestOf } from './addresses.ts';
import { seconds } from './map-account.ts';

const MAX_ID = 200;

/** The context of a row: the ids of a server are unique only within an account. */
export interface RowContext {
  readonly account: string;
  readonly timezone: string;
  /** Lower-case code; the protocol has one for all rows of an account. */
  readonly currency: () => string;
  readonly setAside?: SetAside | undefined;
}

/** A row; null for one that was set aside (kit/set-aside.ts). */
export function mapTransaction(row: WireObject, context: RowContext): Transaction | null {
  return mapped(
    row,
    () => transactionOf(row, context),
    () => faceOf(row, context),
    context.setAside,
  );
}

function transactionOf(row: WireObject, { account, timezone, currency }: RowContext): Transaction {
  const id = requiredId(row, MAX_ID, 'id');
  const status = statusOf(row);
  const posted = moment(row, 'posted', timezone);
  const made = moment(row, 'transacted_at', timezone) ?? posted;
  if (status === 'posted' && made === null)
    throw new UnusableMember('date', isSent(row.posted) ? 'unreadable' : 'missing');
  const written = decimal(row, 'amount', 'amount');
  const money = moneyIn('amount', written, currency());
  const description = text(row, 'description') ?? '';
  const payee = text(row, 'payee');
  const memo = text(row, 'memo');
  return {
    id: rowId(account, id, status),
    status,
    date: made?.day ?? null,
    datetime: made?.sent ?? null,
    post_date: status === 'posted' ? (posted?.day ?? null) : null,
    post_datetime: status === 'posted' ? (posted?.sent ?? null) : null,
    value_date: null,
    value_datetime: null,
    description: description === '' ? (payee ?? memo ?? '') : description,
    reference: null,
    extended_description: memo === description ? null : memo,
    amount: money,
    amount_decimal: written ?? '',
    direction: directionOf(money.amount),
    class: 'other',
    provider_category: null,
    primary_category: null,
    merchant_name: payee === description ? null : payee,
    merchant_category_code: merchantCode(row),
  };
}

/** What is known about a row that cannot be shown. */
function faceOf(row: WireObject, { account, timezone }: Pick<RowContext, 'account' | 'timezone'>): RowFace {
  const id = text(row, 'id');
  const made = moment(row, 'transacted_at', timezone) ?? moment(row, 'posted', timezone);
  return {
    id: id === null || id.length > MAX_ID ? null : rowId(account, id, statusOf(row)),
    day: made?.day ?? null,
  };
}

/** A row is pending if it says so, or has not been posted: servers send 0 for that. */
export function statusOf(row: WireObject): TransactionStatus {
  if (row.pending === true || row.pending === 'true') return 'pending';
  const { posted } = row;
  return posted === 0 || posted === '0' || (!isSent(posted) && isSent(row.transacted_at))
    ? 'pending'
    : 'posted';
}

/**
 * A row may keep its id when it is posted; in v2 the pending row and the posted one are two records without a common
 * key (docs/resources.md#transaction), so the pending one has its own id.
 */
function rowId(account: string, id: string, status: TransactionStatus): string {
  const place = digestOf('row', account).slice(0, 12);
  return providerRowId(
    'transaction',
    'simplefin',
    status === 'posted' ? `${place}-${id}` : `held-${digestOf('held', account, id)}`,
  );
}

/** ISO 18245, which later revisions of the protocol have as `mcc`. */
function merchantCode(row: WireObject): string | null {
  const code = text(row, 'mcc') ?? text(inner(row, 'extra') ?? {}, 'mcc');
  return code !== null && /^\d{4}$/.test(code) ? code : null;
}

function moment(
  row: WireObject,
  name: string,
  timezone: string,
): { readonly day: LocalDate; readonly sent: string } | null {
  const at = seconds(row, name);
  if (at === null || !isMoment(at * 1000)) return null;
  return { day: localDateAt(at * 1000, timezone), sent: formatInstant(at * 1000) };
}
