import { currencyExponent } from '../../../vocabulary/money.ts';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** Actual shows amounts up to this many units exactly. */
const MOST_UNITS = 2 ** 51 - 1;
/** Currencies that Actual shows with other decimals than ISO 4217 has: its own table. */
const OWN_DECIMALS: Readonly<Record<string, number>> = { IRR: 0, CLP: 2 };
/** Currencies without decimals that Actual knows to be so. */
const KNOWN_WITHOUT: ReadonlySet<string> = new Set(['JPY', 'KRW']);
const USUAL_DECIMALS = 2;

/** In what a budget counts: whole units of so many decimals, whose currency Actual may not know. */
export interface BudgetCurrency {
  /** Upper-case ISO 4217 code; null where the budget has none, as long as nobody switched currencies on. */
  readonly code: string | null;
  readonly decimals: number;
}

/**
 * The currency of a budget with that setting. Null for one whose decimals at Actual are not certain: amounts might be wrong
 * a hundredfold there.
 * @param code the setting `defaultCurrencyCode`, empty for none
 */
export function budgetCurrency(code: string): BudgetCurrency | null {
  if (code === '') return { code: null, decimals: USUAL_DECIMALS };
  const known = OWN_DECIMALS[code] ?? (KNOWN_WITHOUT.has(code) ? 0 : null);
  if (known !== null) return { code, decimals: known };
  return currencyExponent(code) === USUAL_DECIMALS ? { code, decimals: USUAL_DECIMALS } : null;
}

/** Whole units of a decimal text; null where they are not whole, or too many to be shown exactly. */
export function unitsOf(decimal: string, decimals: number): number | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(decimals))) return null;
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (amount > MOST_UNITS) return null;
  return sign === '-' && amount !== 0 ? -amount : amount;
}

/** The decimal text of so many units, without zeros at its end. */
export function decimalOf(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return shortest(`${units < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);
}

/** A decimal text without a plus sign, and without zeros at the beginning and at the end of its decimals. */
export function shortest(decimal: string): string {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const digits = fraction.replace(/0+$/, '');
  const text = whole.replace(/^0+(?=\d)/, '') + (digits === '' ? '' : `.${digits}`);
  return sign === '-' && text !== '0' ? `-${text}` : text;
}
