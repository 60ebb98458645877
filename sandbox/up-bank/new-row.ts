import { ControlError } from '../shared/control.ts';
import { isDecimal } from '../shared/decimal.ts';
import { isCategory } from './categories.ts';
import { type Movement, movement } from './movement.ts';

/** A row entered by hand. */
export interface NewTransaction {
  /** Decimal text, negative for money out, with at most two decimals. */
  readonly amount: string;
  readonly description: string;
  /** Default SETTLED; one that is HELD stays held until it is settled by hand. */
  readonly status?: 'PENDING' | 'POSTED';
  /** RFC 3339; default now. */
  readonly createdAt?: string;
  readonly message?: string;
  readonly category?: string;
  readonly roundUp?: string;
}

const NEVER = 8.64e15;

/** The movement of a new row. @throws ControlError on bad input */
export function movementOf(row: NewTransaction, id: string, now: number): Movement {
  const createdAt = row.createdAt === undefined ? now : Date.parse(row.createdAt);
  if (!(createdAt <= now)) throw new ControlError('createdAt must be a moment, and not one to come.');
  if (row.category !== undefined && !isCategory(row.category))
    throw new ControlError('There is no such category.');
  return movement({
    id,
    createdAt,
    settlesAt: row.status === 'PENDING' ? NEVER : createdAt,
    cents: centsOf(row.amount),
    description: row.description,
    rawText: row.description.toUpperCase(),
    message: row.message ?? null,
    kind: 'Purchase',
    category: row.category ?? null,
    byCard: true,
    roundUpCents: row.roundUp === undefined ? null : centsOf(row.roundUp),
  });
}

/** Cents of a decimal text. @throws ControlError if it has fractions of a cent */
export function centsOf(text: string): number {
  const [units = '', fraction = ''] = text.split('.');
  const cents = Number(`${units}${fraction.padEnd(2, '0')}`);
  if (!isDecimal(text) || fraction.length > 2 || !Number.isSafeInteger(cents))
    throw new ControlError('amount must be a decimal number with at most two decimals.');
  return cents;
}
