import { localDateAt, monthsBefore } from '../../../vocabulary/moments.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import { milliunits } from './milliunits.ts';
import type { YnabRow } from './rows.ts';

/** How far back YNAB takes transactions. */
const OLDEST_MONTHS = 60;
/** The day begins first at 14 hours before UTC: no bank's today is later than that. */
const FIRST_MIDNIGHT_MS = 14 * 3_600_000;

/** After every day that a bank gives. */
const LAST_DAY = '9999-12-31';

/** The days YNAB may take at a moment. */
export interface TakenDays {
  readonly first: string;
  /** Today in UTC. */
  readonly surelyLast: string;
  /** Today where the day begins first. Whether YNAB takes a day after `surelyLast` depends on its own clock. */
  readonly last: string;
}

export function takenDays(now: number): TakenDays {
  const today = localDateAt(now, 'UTC');
  return {
    first: monthsBefore(today, OLDEST_MONTHS),
    surelyLast: today,
    last: localDateAt(now + FIRST_MIDNIGHT_MS, 'UTC'),
  };
}

/** A row that YNAB can take, with its amount in milliunits. */
export type SendableRow = YnabRow & { readonly date: string; readonly milliunits: number };

/**
 * The row as it can be sent; else what of it YNAB would refuse, or would show as something else: without a date, of a
 * day to come or of more than five years ago, in another currency than the plan's (YNAB has no currency of a
 * transaction), or with an amount that is not a whole number of thousandths.
 */
export function sendable(row: YnabRow, currency: string, days: TakenDays): SendableRow | Refusal {
  const amount = milliunits(row.amount);
  if (amount === null) return 'amount';
  if (row.currency !== currency) return 'currency';
  if (row.date === null || row.date < days.first || row.date > days.last) return 'day';
  return { ...row, date: row.date, milliunits: amount };
}

/** What of a row YNAB takes on no day to come; null where it takes it, now or once its day has come. */
export function refusalOf(row: YnabRow, currency: string, days: TakenDays): Refusal | null {
  const checked = sendable(row, currency, { ...days, last: LAST_DAY });
  return typeof checked === 'string' ? checked : null;
}
