import type { AccountDetails, LoanDetails, Tier } from '#client';
import { exactMoneyText, quantityText } from '../format/decimals.ts';
import { dayText } from '../format/moments.ts';
import { rateText } from '../format/numbers.ts';
import { isCalendarDay } from '../shell/search.ts';
import { ACCOUNT } from '../text/accounts.ts';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const PERIOD = /^P(\d+)([DWMY])$/;

/** A rate as banks report it: a fraction as text (`0.0425`), else whatever they wrote. */
export function rateOf(rate: string | null): string | null {
  return rate === null ? null : rateText(rate);
}

/** An amount as banks report it: decimal text, with the currency where it is one. */
export function amountOf(amount: string | null, currency: string | null): string | null {
  if (amount === null || !DECIMAL.test(amount)) return amount;
  return currency === null ? quantityText(amount) : exactMoneyText(amount, currency);
}

/** A day or a moment as its day, else whatever the bank wrote. */
export function dayOf(date: string | null): string | null {
  const day = date?.slice(0, 10);
  return day !== undefined && isCalendarDay(day) ? dayText(day) : date;
}

/** An ISO 8601 period in words, else whatever the bank wrote. */
export function periodOf(period: string | null): string | null {
  if (period === null) return null;
  const known = Object.entries(ACCOUNT.every).find(([one]) => one === period);
  if (known !== undefined) return known[1];
  const [, count = '', unit] = PERIOD.exec(period) ?? [];
  if (unit === 'D' || unit === 'W' || unit === 'M' || unit === 'Y')
    return ACCOUNT.period(unit, Number(count));
  return period;
}

/** `INTEREST_ONLY` as `Interest only`. Banks use codes of their own, so there is no table of them. */
export function codeText(code: string | null): string | null {
  if (code === null || !/^[A-Z0-9_]+$/.test(code)) return code;
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a tier applies to: its limits in the currency of the account where they are money, else in their own unit. */
export function tierText(tier: Tier, currency: string): string {
  const limit = (value: number) => {
    const text = String(value);
    if (!DECIMAL.test(text)) return text;
    if (tier.unit_of_measure === 'DOLLAR') return exactMoneyText(text, currency);
    return [quantityText(text), codeText(tier.unit_of_measure)?.toLowerCase()].filter(Boolean).join(' ');
  };
  const { minimum_value: least, maximum_value: most } = tier;
  if (least !== null && most !== null) return ACCOUNT.range.between(limit(least), limit(most));
  if (least !== null) return ACCOUNT.range.from(limit(least));
  if (most !== null) return ACCOUNT.range.upTo(limit(most));
  return tier.name ?? '';
}

/** Names and values of a loan's terms; those that the bank does not report are null. */
export function loanFacts(loan: LoanDetails): readonly (readonly [name: string, value: string | null])[] {
  const { loan: words } = ACCOUNT;
  const offset = loan.offset_account_enabled;
  return [
    [words.repayment, codeText(loan.repayment_type)],
    [words.frequency, periodOf(loan.repayment_frequency)],
    [words.nextDate, dayOf(loan.next_instalment_date)],
    [words.instalment, amountOf(loan.min_instalment_amount, loan.min_instalment_currency)],
    [words.original, amountOf(loan.original_loan_amount, loan.original_loan_currency)],
    [words.start, dayOf(loan.original_start_date)],
    [words.end, dayOf(loan.loan_end_date)],
    [words.maxRedraw, amountOf(loan.max_redraw, loan.max_redraw_currency)],
    [words.minRedraw, amountOf(loan.min_redraw, loan.min_redraw_currency)],
    [words.offset, offset === null ? null : offset ? words.yes : words.no],
  ];
}

/** Whether the bank reports anything about the product. */
export function hasTerms(details: AccountDetails): boolean {
  const { product_name: product, deposit_rate: deposit, lending_rate: lending, loan_details: loan } = details;
  return (
    [product, deposit, lending, loan].some((one) => one !== null) ||
    [details.deposit_rates, details.lending_rates, details.fees, details.features].some(
      ({ length }) => length > 0,
    )
  );
}
