import type { Refusal } from '../../../vocabulary/verifications.ts';
import { type BudgetCurrency, unitsOf } from './budget-currency.ts';
import type { ActualRow } from './rows.ts';

const DAY = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** A row that Actual can show, with its amount in units of the budget. */
export type SendableRow = ActualRow & { readonly date: string; readonly units: number };

/**
 * The row as it can be sent; else what of it Actual would show as something else: no day, another currency than the
 * budget's, or an amount that is not a whole number of its units. A budget without a currency takes all.
 */
export function sendable(row: ActualRow, { code, decimals }: BudgetCurrency): SendableRow | Refusal {
  const units = unitsOf(row.amount, decimals);
  if (units === null) return 'amount';
  if (row.date === null || !DAY.test(row.date)) return 'day';
  if (code !== null && row.currency !== code) return 'currency';
  return { ...row, date: row.date, units };
}

/** What of a row Actual cannot show as it is; null where it can. */
export function refusalOf(row: ActualRow, currency: BudgetCurrency): Refusal | null {
  const checked = sendable(row, currency);
  return typeof checked === 'string' ? checked : null;
}
