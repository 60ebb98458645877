/** How a plan writes money. */
export interface Currency {
  /** ISO 4217, upper case. */
  readonly code: string;
  readonly digits: number;
  readonly symbol: string;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  AUD: '$',
  NZD: '$',
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
};
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, KWD: 3, BHD: 3 };

export function currencyOf(code: string): Currency {
  return { code, digits: DIGITS[code] ?? 2, symbol: SYMBOLS[code] ?? code };
}

/** Milliunits as a plain decimal, with the currency's digits, or more if the amount has them: `-10.50`. */
export function decimalOf(amount: number, { digits }: Currency): string {
  const thousandths = String(Math.abs(amount)).padStart(4, '0');
  const [whole, fraction] = [thousandths.slice(0, -3), thousandths.slice(-3)];
  const shown = Math.max(digits, fraction.replace(/0+$/, '').length);
  return `${amount < 0 ? '-' : ''}${whole}${shown === 0 ? '' : `.${fraction.slice(0, shown)}`}`;
}

/** As the vendor writes it: `-$1,010.50`. */
export function formattedOf(amount: number, currency: Currency): string {
  const [whole = '', fraction] = decimalOf(Math.abs(amount), currency).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${currency.symbol}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}
