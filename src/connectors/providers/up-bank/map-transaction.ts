import { hash } from 'node:crypto';
import { type LocalDate, localDateAt, parseInstant } from '../../../vocabulary/moments.ts';
import { providerRowId } from '../../../vocabulary/providers.ts';
import {
  directionOf,
  type Transaction,
  type TransactionClass,
  type TransactionStatus,
} from '../../../vocabulary/transactions.ts';
import { malformed, type WireObject } from '../kit/json.ts';
import { idText, inner, text } from '../kit/members.ts';
import { codesOf, codesOfTransfer } from './categories.ts';
import { attributesOf, moneyOf, relatedId } from './resource.ts';

/** What Up calls ways to move money, in lower case. Others, and ones yet to come, are `other`. */
const CLASSES: ReadonlyMap<string, TransactionClass> = new Map([
  ['bpay payment', 'payment'],
  ['direct debit', 'payment'],
  ['international purchase', 'payment'],
  ['payment', 'payment'],
  ['purchase', 'payment'],
  ['fee', 'fee'],
  ['interest', 'interest'],
  ['round up', 'transfer'],
  ['scheduled transfer', 'transfer'],
  ['transfer', 'transfer'],
]);
const HELD_ID_DIGITS = 32;

interface Moment {
  readonly day: LocalDate;
  readonly sent: string;
}

/**
 * The rows of one transaction: itself, in Australian dollars, and what was rounded up with it. Up takes a round-up from
 * the account beside the amount, and lists it as a row only in the saver it goes to: left out, the rows of the account
 * would not add up to its balance. Foreign amounts and those held first are not shown. Raises UpstreamFailure for a
 * transaction without id, moment or exact amount.
 */
export function mapTransaction(resource: WireObject, timezone: string): readonly Transaction[] {
  const id = idText(resource, 'id');
  if (id === null) throw malformed('a transaction has no id');
  const attributes = attributesOf(resource);
  const created = moment(attributes, 'createdAt', timezone);
  if (created === null) throw malformed('a transaction has no date');
  const settled = moment(attributes, 'settledAt', timezone);
  const status = isPosted(text(attributes, 'status'), settled) ? 'posted' : 'pending';
  const description = text(attributes, 'description');
  const rawText = text(attributes, 'rawText');
  const byCard = attributes.cardPurchaseMethod !== null && attributes.cardPurchaseMethod !== undefined;
  const { money, decimal } = moneyOf(attributes, 'amount', 'the amount of a transaction');
  const row: Transaction = {
    id: rowId(id, status),
    status,
    date: created.day,
    datetime: created.sent,
    post_date: settled?.day ?? null,
    post_datetime: settled?.sent ?? null,
    value_date: null,
    value_datetime: null,
    description: description ?? rawText ?? '',
    reference: rawText,
    extended_description: text(attributes, 'message'),
    amount: money,
    amount_decimal: decimal,
    direction: directionOf(money.amount),
    ...meaningOf(resource, money.amount),
    merchant_name: byCard ? description : null,
    merchant_category_code: null,
  };
  const roundUp = inner(attributes, 'roundUp');
  return roundUp === null ? [row] : [row, roundedUp(row, id, roundUp)];
}

type Meaning = Pick<Transaction, 'class' | 'provider_category' | 'primary_category'>;

/** What a row is. Money moved between a person's own accounts has no category at Up. */
function meaningOf(resource: WireObject, amount: number): Meaning {
  if (relatedId(resource, 'transferAccount') !== null) return transfer(amount);
  const type = text(attributesOf(resource), 'transactionType')?.toLowerCase() ?? '';
  const codes = codesOf(relatedId(resource, 'category'));
  return {
    class: CLASSES.get(type) ?? 'other',
    provider_category: codes?.code ?? null,
    primary_category: codes?.primary ?? null,
  };
}

function transfer(amount: number): Meaning {
  const { code, primary } = codesOfTransfer(amount);
  return { class: 'transfer', provider_category: code, primary_category: primary };
}

function roundedUp(purchase: Transaction, id: string, roundUp: WireObject): Transaction {
  const { money, decimal } = moneyOf(roundUp, 'amount', 'the amount of a round-up');
  return {
    ...purchase,
    id: rowId(`${id}:round-up`, purchase.status),
    description: 'Round Up',
    reference: purchase.description,
    extended_description: null,
    amount: money,
    amount_decimal: decimal,
    direction: directionOf(money.amount),
    ...transfer(money.amount),
    merchant_name: null,
  };
}

/** The account a row is of; null where it does not say. */
export function accountOf(resource: WireObject): string | null {
  return relatedId(resource, 'account');
}

/**
 * Up keeps the id of a row that settles; here the pending row and the posted one are two records without a common key
 * (docs/resources.md#transaction), so the pending one has an id of its own.
 */
function rowId(id: string, status: TransactionStatus): string {
  const held = (): string => `held-${hash('sha256', `held ${id}`).slice(0, HELD_ID_DIGITS)}`;
  return providerRowId('transaction', 'up_bank', status === 'posted' ? id : held());
}

/** A status nobody documented yet counts as posted exactly when the row has settled. */
function isPosted(status: string | null, settled: Moment | null): boolean {
  if (status === 'SETTLED') return true;
  return status !== 'HELD' && settled !== null;
}

function moment(attributes: WireObject, name: string, timezone: string): Moment | null {
  const sent = text(attributes, name);
  if (sent === null) return null;
  const at = parseInstant(sent);
  if (at === null) throw malformed('a transaction has a moment that is none');
  return { day: localDateAt(at, timezone), sent };
}
