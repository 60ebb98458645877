import { hash } from 'node:crypto';
import { plainText } from '../../../platform/shared-row-ids.ts';
import { isLocalDate, type LocalDate } from '../../../vocabulary/moments.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import {
  directionOf,
  type Transaction,
  type TransactionClass,
  type TransactionStatus,
} from '../../../vocabulary/transactions.ts';
import { decimal } from '../kit/decimal.ts';
import { inner, text, texts, type WireObject } from '../kit/json.ts';
import { moneyIn, type RowFace, UnusableMember } from '../kit/set-aside.ts';

/** The context of a row: the vendor's rows name no account, and some banks leave out the currency. */
export interface RowContext {
  readonly account: string;
  readonly currency: string;
}

const MAX_ID = 200;
const DIGITS = 32;
/** A reference that is only a place in the list of a day: it appears later than the row, and moves with others. */
const POSITION = /^\d{4}-\d{2}-\d{2}\.\d+$/;
/** Rows that never moved money, and may never. */
const UNREAL: ReadonlySet<string> = new Set(['CNCL', 'RJCT', 'SCHD']);
/** Families of ISO 20022 bank transaction codes, anywhere in the code that a bank gives. */
const CLASSES: readonly (readonly [RegExp, TransactionClass])[] = [
  [/\b(CHRG|FEES|COMM)\b/, 'fee'],
  [/\bINTR\b/, 'interest'],
  [/\b(CCRD|IDDT|POSD|PMNT)\b/, 'payment'],
];

/** Whether a row is one of the statement: cancelled, rejected and scheduled ones are not. */
export function isReal(row: WireObject): boolean {
  return !UNREAL.has(text(row, 'status') ?? '');
}

/**
 * Maps the rows of one read, in the order of the answers. A row's id is the bank's reference. Where the bank gives none,
 * or one that is only a position, it is a hash of what does not change, with equal rows numbered. The hash is a former
 * id of a row with a reference, because some banks add the reference on a later day.
 */
export class RowMap {
  readonly #context: RowContext;
  readonly #seen = new Map<string, number>();

  constructor(context: RowContext) {
    this.#context = context;
  }

  /** One transaction. Raises UnusableMember. */
  map(row: WireObject): Transaction {
    const days = daysOf(row);
    const status = statusOf(row, days);
    const { amount, amount_decimal } = this.#amount(row);
    const party = partyOf(row, amount.amount);
    const remittance = remittanceOf(row);
    const booked = days.booking ?? days.value ?? days.transaction;
    const content = JSON.stringify([
      this.#context.account,
      status,
      booked,
      amount,
      plainText(`${party ?? ''} ${remittance ?? ''}`),
    ]);
    const ids = this.#idsOf(row, status, content);
    if (status === 'posted' && booked === null) throw new UnusableMember('date', 'missing');
    return {
      ...ids,
      status,
      date: days.transaction ?? booked,
      datetime: null,
      post_date: status === 'posted' ? booked : null,
      post_datetime: null,
      value_date: days.value,
      value_datetime: null,
      description: party ?? remittance ?? text(row, 'note') ?? codeText(row) ?? '',
      reference: text(row, 'reference_number'),
      extended_description: party === null ? null : remittance,
      amount,
      amount_decimal,
      direction: directionOf(amount.amount),
      class: classOf(row),
      provider_category: null,
      primary_category: null,
      merchant_name: text(row, 'merchant_category_code') === null ? null : party,
      merchant_category_code: text(row, 'merchant_category_code'),
    };
  }

  /** The sign is the indicator's: banks write amounts with and without one. Without an indicator it is the amount's. */
  #amount(row: WireObject): Pick<Transaction, 'amount' | 'amount_decimal'> {
    const sent = inner(row, 'transaction_amount') ?? {};
    const written = decimal(sent, 'amount', 'amount');
    if (written === null) throw new UnusableMember('amount', 'missing');
    const size = written.replace('-', '');
    const indicator = text(row, 'credit_debit_indicator');
    const signed = indicator === 'CRDT' ? size : indicator === 'DBIT' ? `-${size}` : written;
    const amount_decimal = /[1-9]/.test(signed) ? signed : size;
    const currency = text(sent, 'currency')?.toLowerCase() ?? this.#context.currency;
    return { amount: moneyIn('amount', amount_decimal, currency), amount_decimal };
  }

  #idsOf(
    row: WireObject,
    status: TransactionStatus,
    content: string,
  ): Pick<Transaction, 'id' | 'former_ids'> {
    const ordinal = this.#seen.get(content) ?? 0;
    this.#seen.set(content, ordinal + 1);
    const byContent = hashed(status === 'posted' ? 'row' : 'held', `${content}${ordinal}`);
    const reference = referenceOf(row);
    if (reference === null) return { id: byContent };
    if (status === 'pending') return { id: heldId(reference) };
    return { id: postedId(reference), former_ids: [byContent] };
  }
}

/** What is known about a row that cannot be shown. Without a reference, its id depends on what cannot be read. */
export function faceOf(row: WireObject): RowFace {
  const days = daysOf(row);
  const reference = referenceOf(row);
  const isPosted = statusOf(row, days) === 'posted';
  const id = reference === null ? null : isPosted ? postedId(reference) : heldId(reference);
  return { id, day: days.transaction ?? days.booking ?? days.value };
}

/** The bank's reference if it identifies the row. */
function referenceOf(row: WireObject): string | null {
  const reference = text(row, 'entry_reference');
  return reference === null || reference.length > MAX_ID || POSITION.test(reference) ? null : reference;
}

function postedId(reference: string): string {
  return providerRowId('transaction', 'enable_banking', reference);
}

/** A bank may keep the reference of a row that it books; the pending and the posted row are two. */
function heldId(reference: string): string {
  return hashed('held', reference);
}

function hashed(prefix: 'row' | 'held', content: string): string {
  return providerRowId(
    'transaction',
    'enable_banking',
    `${prefix}-${hash('sha256', `${prefix} ${content}`).slice(0, DIGITS)}`,
  );
}

interface Days {
  readonly booking: LocalDate | null;
  readonly value: LocalDate | null;
  readonly transaction: LocalDate | null;
}

function daysOf(row: WireObject): Days {
  const day = (name: string): LocalDate | null => {
    const sent = text(row, name)?.slice(0, 10) ?? '';
    return isLocalDate(sent) ? sent : null;
  };
  return { booking: day('booking_date'), value: day('value_date'), transaction: day('transaction_date') };
}

/** Without a status that says so, a row counts as booked exactly if it has the day of its booking. */
function statusOf(row: WireObject, { booking }: Days): TransactionStatus {
  switch (text(row, 'status')) {
    case 'BOOK':
      return 'posted';
    case 'PDNG':
    case 'HOLD':
      return 'pending';
    default:
      return booking === null ? 'pending' : 'posted';
  }
}

/** The other side of a row. */
function partyOf(row: WireObject, amount: number): string | null {
  const name = text(inner(row, amount < 0 ? 'creditor' : 'debtor') ?? {}, 'name')?.trim();
  return name === undefined || name === '' ? null : name;
}

/** The lines of a payment's text. Banks send blank ones, and a text instead of a list. */
function remittanceOf(row: WireObject): string | null {
  const lines = [text(row, 'remittance_information') ?? '', ...texts(row, 'remittance_information')];
  const joined = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return joined === '' ? null : joined;
}

function codeText(row: WireObject): string | null {
  return text(inner(row, 'bank_transaction_code') ?? {}, 'description');
}

function classOf(row: WireObject): TransactionClass {
  const code = inner(row, 'bank_transaction_code') ?? {};
  const written = `${text(code, 'code') ?? ''} ${text(code, 'sub_code') ?? ''}`;
  return CLASSES.find(([family]) => family.test(written))?.[1] ?? 'other';
}
