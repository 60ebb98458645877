import { hash } from 'node:crypto';
import { type LocalDate, localDateAt, parseInstant } from '../../../vocabulary/moments.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import {
  directionOf,
  type Transaction,
  type TransactionClass,
  type TransactionStatus,
} from '../../../vocabulary/transactions.ts';
import { inner, text, type WireObject } from '../kit/json.ts';
import { mapped, type RowFace, requireAccount, requiredId, UnusableMember } from '../kit/set-aside.ts';
import { codesOf, codesOfTransfer } from './map-category.ts';
import { attributesOf, moneyOf, relatedId } from './resource.ts';

/** Up's names of ways to move money, in lower case. Others, including future ones, are `other`. */
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
const MAX_ID = 200;
const ROUND_UP = ':round-up';

interface Moment {
  readonly day: LocalDate;
  readonly sent: string;
}

/** The context of a resource. */
export interface RowContext {
  readonly account: string;
  readonly timezone: string;
  readonly setAside?: SetAside | undefined;
}

/**
 * The rows of one transaction: itself, in Australian dollars, and its round-up. Up takes a round-up from the account in
 * addition to the amount, and lists it as a row only in the saver it goes to: without it, the rows of the account would
 * not add up to its balance. Foreign amounts and those first held are not shown. Rows that cannot be read are set aside
 * (kit/set-aside.ts).
 */
export function mapTransaction(resource: WireObject, context: RowContext): readonly Transaction[] {
  const { setAside } = context;
  const roundUp = inner(attributesOf(resource), 'roundUp');
  const row = mapped(
    resource,
    () => ownRow(resource, context),
    () => faceOf(resource, context),
    setAside &&
      ((aside) => {
        setAside(aside);
        const { id } = roundUpFace(resource, context);
        // Without the purchase it has no description and no class.
        if (roundUp !== null) setAside({ ...aside, id, key: id ?? `${aside.key}:round-up` });
      }),
  );
  if (row === null || roundUp === null) return row === null ? [] : [row];
  const rounded = mapped(
    resource,
    () => roundedUp(row, resource, roundUp),
    () => roundUpFace(resource, context),
    setAside,
  );
  return rounded === null ? [row] : [row, rounded];
}

function ownRow(resource: WireObject, { account, timezone }: RowContext): Transaction {
  requireAccount(accountOf(resource), account);
  const id = requiredId(resource, MAX_ID, 'id');
  const attributes = attributesOf(resource);
  const settled = moment(attributes, 'settledAt', timezone);
  const created = moment(attributes, 'createdAt', timezone) ?? settled;
  const status = isPosted(text(attributes, 'status'), settled) ? 'posted' : 'pending';
  if (created === null && status === 'posted') throw new UnusableMember('date', 'missing');
  const description = text(attributes, 'description');
  const rawText = text(attributes, 'rawText');
  const byCard = attributes.cardPurchaseMethod !== null && attributes.cardPurchaseMethod !== undefined;
  const { money, decimal } = moneyOf(attributes, 'amount', 'amount');
  return {
    id: rowId(id, status),
    status,
    date: created?.day ?? null,
    datetime: created?.sent ?? null,
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
}

/** What is known about a row that cannot be shown. */
function faceOf(resource: WireObject, context: Pick<RowContext, 'timezone'>, suffix = ''): RowFace {
  const attributes = attributesOf(resource);
  const settled = moment(attributes, 'settledAt', context.timezone);
  const status = isPosted(text(attributes, 'status'), settled) ? 'posted' : 'pending';
  const id = text(resource, 'id');
  return {
    id: id === null || id.length > MAX_ID ? null : rowId(`${id}${suffix}`, status),
    day: (moment(attributes, 'createdAt', context.timezone) ?? settled)?.day ?? null,
  };
}

function roundUpFace(resource: WireObject, context: Pick<RowContext, 'timezone'>): RowFace {
  return faceOf(resource, context, ROUND_UP);
}

type Meaning = Pick<Transaction, 'class' | 'provider_category' | 'primary_category'>;

/** The class of a row. Money moved between a person's own accounts has no category at Up. */
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

function roundedUp(purchase: Transaction, resource: WireObject, roundUp: WireObject): Transaction {
  const { money, decimal } = moneyOf(roundUp, 'amount', 'amount');
  return {
    ...purchase,
    id: rowId(`${requiredId(resource, MAX_ID, 'id')}${ROUND_UP}`, purchase.status),
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

/** The account of a row; null if it names none. */
export function accountOf(resource: WireObject): string | null {
  return relatedId(resource, 'account');
}

/**
 * Up keeps the id of a row that settles; in v2 the pending row and the posted one are two records without a common key
 * (docs/resources.md#transaction), so the pending one has its own id.
 */
function rowId(id: string, status: TransactionStatus): string {
  const held = (): string => `held-${hash('sha256', `held ${id}`).slice(0, HELD_ID_DIGITS)}`;
  return providerRowId('transaction', 'up_bank', status === 'posted' ? id : held());
}

/** An undocumented status counts as posted exactly if the row has settled. */
function isPosted(status: string | null, settled: Moment | null): boolean {
  if (status === 'SETTLED') return true;
  return status !== 'HELD' && settled !== null;
}

function moment(attributes: WireObject, name: string, timezone: string): Moment | null {
  const sent = text(attributes, name);
  if (sent === null) return null;
  const at = parseInstant(sent);
  return at === null ? null : { day: localDateAt(at, timezone), sent };
}
