import { ControlError } from '../shared/control.ts';
import { isDecimal } from '../shared/decimal.ts';
import { CATEGORY_KEYS } from './rows/categories.ts';
import type { Row } from './rows/row.ts';

/** A row to enter by hand. */
export type NewTransaction = {
  /** Signed decimal string, negative = money out. */
  readonly amount: string;
  readonly description: string;
  /** Default SETTLED. A pending row stays pending until it is settled or dropped. */
  readonly status?: 'PENDING' | 'POSTED';
  /** The date that the bank gives it, as a time in UTC; default now. */
  readonly date?: string;
  /** One of the vendor's types; default DEBIT or CREDIT by sign. */
  readonly type?: string;
  readonly merchant?: string;
  /** Key of a category of the simulator. */
  readonly category?: string;
  readonly reference?: string;
};

/** Turns hand-written input into a row. Throws {@link ControlError}. */
export function rowFrom(input: NewTransaction, key: string, now: number): Row {
  const { amount, description, status, type, merchant, category, reference } = input;
  if (!isDecimal(amount)) throw new ControlError('amount must be a decimal string such as "-12.50".');
  const date = input.date === undefined ? now : Date.parse(input.date);
  if (Number.isNaN(date)) throw new ControlError('date must be a moment.');
  const known = CATEGORY_KEYS.find((one) => one === category) ?? null;
  if (category !== undefined && known === null)
    throw new ControlError(`category must be one of ${CATEGORY_KEYS.join(', ')}.`);
  const pending = status === 'PENDING';
  return {
    key,
    date,
    pendingFrom: pending ? now : null,
    settles: pending ? Number.POSITIVE_INFINITY : now,
    vanishes: false,
    amount,
    description,
    type: type ?? (amount.startsWith('-') ? 'DEBIT' : 'CREDIT'),
    merchant: merchant ?? null,
    category: known,
    meta: reference === undefined ? null : { reference },
  };
}
