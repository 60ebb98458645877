const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * Thousandths of a decimal text, as YNAB counts money: -10.50 is -10500. Null where they are not a whole number, or not
 * one that survives as a number of JSON: such an amount cannot be sent without changing it.
 */
export function milliunits(decimal: string): number | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(3))) return null;
  const amount = Number(`${whole}${fraction.slice(0, 3).padEnd(3, '0')}`);
  if (!Number.isSafeInteger(amount)) return null;
  return sign === '-' && amount !== 0 ? -amount : amount;
}
