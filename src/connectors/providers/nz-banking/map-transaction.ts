import { createHash } from 'node:crypto';
import { type LocalDate, localDateAt, parseInstant } from '../../../vocabulary/moments.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import { directionOf, type Transaction, type TransactionClass } from '../../../vocabulary/transactions.ts';
import { decimal } from '../kit/decimal.ts';
import { idText, inner, text, type WireObject } from '../kit/json.ts';
import { moneyIn, type RowFace, requireAccount, requiredId, UnusableMember } from '../kit/set-aside.ts';
import { minorDecimals } from './map-account.ts';
import { categoryOf } from './map-category.ts';

/** The context of a row. Rows have no currency: it is the account's. */
export interface RowContext {
  readonly account: string;
  readonly timezone: string;
  readonly currency: string;
}

/** Others, including future types, are `other`: CREDIT and DEBIT only give the sign. */
const CLASSES: ReadonlyMap<string, TransactionClass> = new Map([
  ['PAYMENT', 'payment'],
  ['EFTPOS', 'payment'],
  ['STANDING ORDER', 'payment'],
  ['DIRECT DEBIT', 'payment'],
  ['CREDIT CARD', 'payment'],
  ['LOAN', 'payment'],
  ['TAX', 'payment'],
  ['TRANSFER', 'transfer'],
  ['DIRECT CREDIT', 'transfer'],
  ['FEE', 'fee'],
  ['INTEREST', 'interest'],
]);
const MAX_ID = 200;

/**
 * One settled transaction. The vendor writes times in UTC, mostly the midnight in New Zealand at the start of the day,
 * which is the day before in UTC. Raises UnusableMember for a row without id, date or exact amount.
 */
export function mapSettled(row: WireObject, context: RowContext): Transaction {
  const id = requiredId(row, MAX_ID, '_id');
  const sent = text(row, 'date');
  const day = dayOf(sent, context.timezone);
  if (day === null) throw new UnusableMember('date', sent === null ? 'missing' : 'unreadable');
  const former = idText(row, '_migrated');
  return {
    id: providerRowId('transaction', 'nz_banking', id),
    ...(former === null ? {} : { former_ids: [providerRowId('transaction', 'nz_banking', former)] }),
    status: 'posted',
    ...common(row, context),
    date: day,
    datetime: sent,
    post_date: day,
    post_datetime: sent,
  };
}

/** The account that a row names; null if it names none. */
export function accountOf(row: WireObject): string | null {
  return text(row, '_account');
}

/** What is known about a row that cannot be shown; pending ones have no id. */
export function faceOf(row: WireObject, { timezone }: Pick<RowContext, 'timezone'>): RowFace {
  const id = text(row, '_id');
  return {
    id: id === null || id.length > MAX_ID ? null : providerRowId('transaction', 'nz_banking', id),
    day: dayOf(text(row, 'date'), timezone),
  };
}

/** Gives ids to pending rows of one account, in the order of one answer: the vendor gives them none. */
export class PendingRows {
  readonly #context: RowContext;
  readonly #seen = new Map<string, number>();

  constructor(context: RowContext) {
    this.#context = context;
  }

  /**
   * One pending transaction. Its id is stable as long as the row does not change; equal rows are numbered. Raises
   * UnusableMember.
   */
  map(row: WireObject): Transaction {
    const sent = text(row, 'date');
    const day = dayOf(sent, this.#context.timezone);
    const shared = common(row, this.#context);
    const { account } = this.#context;
    const content = JSON.stringify([
      account,
      day,
      shared.amount_decimal,
      shared.description,
      text(row, 'type'),
    ]);
    const ordinal = this.#seen.get(content) ?? 0;
    this.#seen.set(content, ordinal + 1);
    const hash = createHash('sha256').update(`${content}${ordinal}`).digest('hex').slice(0, 32);
    return {
      id: providerRowId('transaction', 'nz_banking', `pend_${hash}`),
      status: 'pending',
      ...shared,
      date: day,
      datetime: day === null ? null : sent,
      post_date: null,
      post_datetime: null,
    };
  }
}

type Moments = 'date' | 'datetime' | 'post_date' | 'post_datetime';

/** What settled and pending rows have in common. */
function common(
  row: WireObject,
  { account, currency }: RowContext,
): Omit<Transaction, 'id' | 'former_ids' | 'status' | Moments> {
  requireAccount(accountOf(row), account);
  const sent = decimal(row, 'amount', 'amount');
  if (sent === null) throw new UnusableMember('amount', 'missing');
  const amount = moneyIn('amount', sent, currency);
  const description = text(row, 'description') ?? '';
  const meta = inner(row, 'meta') ?? {};
  const merchant = inner(row, 'merchant');
  const category = categoryOf(row, description, amount.amount < 0);
  return {
    value_date: null,
    value_datetime: null,
    description,
    reference: text(meta, 'reference'),
    extended_description: joined([text(meta, 'particulars'), text(meta, 'code')]),
    amount,
    amount_decimal: minorDecimals(sent, currency),
    direction: directionOf(amount.amount),
    class: CLASSES.get(text(row, 'type') ?? '') ?? 'other',
    provider_category: category,
    primary_category: category,
    merchant_name: merchant === null ? null : text(merchant, 'name'),
    merchant_category_code: null,
  };
}

function dayOf(sent: string | null, zone: string): LocalDate | null {
  const at = sent === null ? null : parseInstant(sent);
  return at === null ? null : localDateAt(at, zone);
}

function joined(parts: readonly (string | null)[]): string | null {
  const given = parts.filter((part) => part !== null);
  return given.length === 0 ? null : given.join(' ');
}
