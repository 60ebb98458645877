import { ControlError } from '../shared/control.ts';
import { isDecimal } from '../shared/decimal.ts';
import { correctedCategory, primaryOf } from './categories.ts';
import { type Moment, parseMoment, utcMoment } from './rows/moment.ts';
import { NO_FACTS, NOTHING_SHOWN, type Row } from './rows/row.ts';
import type { Amendment } from './rows/row-book.ts';

/** A row to enter by hand. */
export type NewTransaction = {
  /** Signed decimal string, negative = money out. Kept as written. */
  readonly amount: string;
  readonly description: string;
  /** Default POSTED. A pending row stays pending until it is settled or dropped. */
  readonly status?: 'PENDING' | 'POSTED';
  /** RFC 3339; default now. `null` leaves the row without an execution time. */
  readonly executedAt?: string | null;
  /** RFC 3339; default now for posted rows. */
  readonly postedAt?: string;
  readonly currency?: string;
  /** One of the standard's types; default PAYMENT or TRANSFER_INCOMING by sign. */
  readonly type?: string;
  readonly reference?: string;
  readonly transactionId?: string;
  readonly merchantName?: string;
  readonly merchantCategoryCode?: string;
  readonly secondaryCategory?: string;
};

/** What a bank may correct about a posted row. */
export type PostedChange = Pick<Partial<NewTransaction>, 'amount' | 'description' | 'postedAt'> & {
  /** RFC 3339. */
  readonly executedAt?: string;
};

/** Turns hand-written input into a row. Throws {@link ControlError}. */
export function rowFrom(input: NewTransaction, key: string, currency: string, now: number): Row {
  if (!isDecimal(input.amount)) throw new ControlError('amount must be a decimal string such as "-12.50".');
  const pending = input.status === 'PENDING';
  if (pending && input.postedAt !== undefined) throw new ControlError('A pending row has no postedAt.');
  const secondary = input.secondaryCategory;
  if (secondary !== undefined && primaryOf(secondary) === null) {
    throw new ControlError('secondaryCategory must begin with one of the sixteen primary categories.');
  }
  const execution = input.executedAt === null ? null : momentOf(input.executedAt, 'executedAt', now);
  const posting = pending ? null : momentOf(input.postedAt, 'postedAt', now);
  return {
    key,
    posting,
    visibleFrom: Number.NEGATIVE_INFINITY,
    pending: pending
      ? {
          from: Number.NEGATIVE_INFINITY,
          until: Number.POSITIVE_INFINITY,
          fate: 'posts',
          shown: { ...NOTHING_SHOWN, execution },
          firstAmount: null,
        }
      : null,
    facts: {
      ...NO_FACTS,
      transactionId: input.transactionId ?? key,
      amount: input.amount,
      currency: input.currency ?? currency,
      type: input.type ?? (input.amount.startsWith('-') ? 'PAYMENT' : 'TRANSFER_INCOMING'),
      description: input.description,
      reference: input.reference ?? '',
      execution,
      merchantName: input.merchantName ?? null,
      merchantCategoryCode: input.merchantCategoryCode ?? null,
      category: secondary === undefined ? null : correctedCategory(secondary),
    },
  };
}

/** Raises {@link ControlError} for an invalid amount or time. */
export function amendmentFrom({ amount, description, postedAt, executedAt }: PostedChange): Amendment {
  if (amount !== undefined && !isDecimal(amount))
    throw new ControlError('amount must be a decimal string such as "-12.50".');
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(description === undefined ? {} : { description }),
    ...(postedAt === undefined ? {} : { posting: momentOf(postedAt, 'postedAt', 0) }),
    ...(executedAt === undefined ? {} : { execution: momentOf(executedAt, 'executedAt', 0) }),
  };
}

function momentOf(text: string | undefined, name: string, now: number): Moment {
  if (text === undefined) return utcMoment(now);
  const moment = parseMoment(text);
  if (!moment) throw new ControlError(`${name} must be a full RFC 3339 instant.`);
  return moment;
}
