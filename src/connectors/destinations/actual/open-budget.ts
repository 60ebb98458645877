import { currencyExponent } from '../../../vocabulary/money.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { Budget } from './budget.ts';
import { integerOf, textOf, textOrNull } from './budget-file.ts';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** Actual shows amounts up to this many units exactly. */
const MOST_UNITS = 2 ** 51 - 1;
/** Currencies that Actual shows with other decimals than ISO 4217 has: its own table. */
const OWN_DECIMALS: Readonly<Record<string, number>> = { IRR: 0, CLP: 2 };
/** Currencies without decimals that Actual knows to be so. */
const KNOWN_WITHOUT: ReadonlySet<string> = new Set(['JPY', 'KRW']);
const USUAL_DECIMALS = 2;

/** The units of a budget: whole units with a number of decimals, in a currency that Actual may not know. */
export interface BudgetCurrency {
  /** Upper-case ISO 4217 code; null if the budget has none, because currencies were not enabled. */
  readonly code: string | null;
  readonly decimals: number;
}

/**
 * The currency of a budget with that setting. Null if it is uncertain how many decimals Actual uses: amounts could be
 * off by a factor of a hundred.
 * @param code the setting `defaultCurrencyCode`, empty for none
 */
export function budgetCurrency(code: string): BudgetCurrency | null {
  if (code === '') return { code: null, decimals: USUAL_DECIMALS };
  const known = OWN_DECIMALS[code] ?? (KNOWN_WITHOUT.has(code) ? 0 : null);
  if (known !== null) return { code, decimals: known };
  return currencyExponent(code) === USUAL_DECIMALS ? { code, decimals: USUAL_DECIMALS } : null;
}

/** Whole units of a decimal text; null if they are not whole, or too many to be shown exactly. */
export function unitsOf(decimal: string, decimals: number): number | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(decimals))) return null;
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (amount > MOST_UNITS) return null;
  return sign === '-' && amount !== 0 ? -amount : amount;
}

/** The decimal text of an amount in units, without trailing zeros. */
export function decimalOf(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return shortest(`${units < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);
}

/** A decimal text without a plus sign, leading zeros or trailing zeros. */
export function shortest(decimal: string): string {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const digits = fraction.replace(/0+$/, '');
  const text = whole.replace(/^0+(?=\d)/, '') + (digits === '' ? '' : `.${digits}`);
  return sign === '-' && text !== '0' ? `-${text}` : text;
}

/** An account that rows can go to. */
interface OpenAccount {
  readonly id: string;
  readonly name: string;
  /** Off budget, where transactions have no category. */
  readonly offBudget: boolean;
}

/** A category that people see. */
interface ShownCategory {
  readonly id: string;
  readonly name: string;
  readonly group: string;
}

/** Accounts that are neither closed nor deleted, in the order of Actual. */
export function openAccounts({ database }: Budget): readonly OpenAccount[] {
  return database
    .all('SELECT * FROM accounts WHERE tombstone = 0 AND closed = 0 ORDER BY offbudget, sort_order, name')
    .map(({ id, name, offbudget }) => ({
      id: textOf(id),
      name: textOf(name),
      offBudget: integerOf(offbudget) === 1,
    }));
}

/** Raises DestinationFailure `destination_resource_missing` for an account that is closed or deleted. */
export function requireOpenAccount({ database }: Budget, id: string): OpenAccount {
  const found = database.first('SELECT * FROM accounts WHERE id = ? AND tombstone = 0 AND closed = 0', id);
  if (found !== null) {
    return { id, name: textOf(found.name), offBudget: integerOf(found.offbudget) === 1 };
  }
  throw new DestinationFailure(
    'destination_resource_missing',
    'An account of the budget that a bank account is mapped to is closed or deleted in Actual: map it to another one.',
    { outcome: 'refused', retryable: false },
  );
}

export function shownCategories({ database }: Budget): readonly ShownCategory[] {
  return database
    .all(
      `SELECT c.id, c.name, g.name AS "group" FROM categories c JOIN category_groups g ON g.id = c.cat_group
       WHERE c.tombstone = 0 AND c.hidden = 0 AND g.tombstone = 0 AND g.hidden = 0 ORDER BY g.name, c.name`,
    )
    .map(({ id, name, group }) => ({ id: textOf(id), name: textOf(name), group: textOf(group) }));
}

/** The category to set: itself, or the one that a person moved its transactions to when deleting it; null for none. */
export function livingCategory({ database }: Budget, id: string): string | null {
  const living = 'SELECT id FROM categories WHERE id = ? AND tombstone = 0';
  if (database.first(living, id) !== null) return id;
  const heir = textOrNull(
    database.first('SELECT transferId FROM category_mapping WHERE id = ?', id)?.transferId,
  );
  return heir !== null && database.first(living, heir) !== null ? heir : null;
}

/** Raises DestinationFailure if Actual may show amounts of the budget's currency with other decimals. */
export function currencyOf({ database }: Budget): BudgetCurrency {
  const setting = (id: string) =>
    textOf(database.first('SELECT value FROM preferences WHERE id = ?', id)?.value);
  const code = setting('flags.currency') === 'true' ? setting('defaultCurrencyCode').toUpperCase() : '';
  const currency = budgetCurrency(code);
  if (currency !== null) return currency;
  throw new DestinationFailure(
    'run_failed',
    `The budget is in ${code.slice(0, 3)}, and it is not certain with how many decimals Actual shows that currency: choose another one, or none, in its settings.`,
    { outcome: 'refused', retryable: false },
  );
}

/** A day as Actual stores it: 20261122. */
export function dayNumber(date: string): number {
  return Number(date.replaceAll('-', ''));
}

export function dayText(day: number): string {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}
