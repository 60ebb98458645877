import Big from 'big.js';

/**
 * Integer minor units and a lower-case ISO 4217 code (docs/api-conventions.md#money). `amount` is always a safe
 * integer.
 */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/**
 * An amount in both forms. Prices of shares have more decimals than their currency (33.1234 `usd`), so the value in
 * minor units is rounded; v1, spreadsheets and arithmetic use the text.
 */
export interface ExactMoney {
  readonly money: Money;
  /** The provider's own digits, preceded by `-` if negative. */
  readonly decimal: string;
}

/** ISO 4217 currencies whose minor unit is not a hundredth. */
const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf',
    3: 'bhd iqd jod kwd lyd omr tnd',
    4: 'clf uyw',
  }).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)] as const)),
);

const CURRENCY = /^[A-Za-z]{3}$/;
const DECIMAL = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/;
/** The common case of a bank: up to 13 digits and at most two decimals, with no arithmetic needed beyond integers. */
const PLAIN = /^([+-]?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * Decimals of a currency's minor unit, in either case: reading `JPY` with two would be off by a factor of a hundred.
 */
export function currencyExponent(currency: string): number {
  return EXPONENTS.get(currency.toLowerCase()) ?? 2;
}

/** Whether the text is a decimal number as providers send them: sign, digits, optional fraction; no exponent. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** The code in lower case, or null if it is not three letters. */
export function currencyCode(text: string): string | null {
  return CURRENCY.test(text) ? text.toLowerCase() : null;
}

/**
 * Minor units of a decimal string, rounded half away from zero where the currency has fewer decimals than the text.
 * Raises a RangeError if the text is not a decimal or the result is not a safe integer; it never guesses.
 */
export function moneyFromDecimal(text: string, currency: string): Money {
  const code = currencyCode(currency);
  if (code === null) throw new RangeError('not a currency code');
  const exponent = currencyExponent(code);
  const plain = exponent === 2 ? PLAIN.exec(text) : null;
  if (plain !== null) {
    const [, sign, units = '', fraction = ''] = plain;
    const amount = Number(units) * 100 + Number(fraction.padEnd(2, '0'));
    return { amount: sign === '-' && amount !== 0 ? -amount : amount, currency: code };
  }
  if (!isDecimal(text)) throw new RangeError('not a decimal amount');
  const amount = Number(
    new Big(text.startsWith('+') ? text.slice(1) : text)
      .times(10 ** exponent)
      .round(0, Big.roundHalfUp)
      .toFixed(),
  );
  if (!Number.isSafeInteger(amount)) throw new RangeError('amount is out of range');
  return { amount: amount === 0 ? 0 : amount, currency: code };
}

/** Both forms of a decimal string. Raises a RangeError as `moneyFromDecimal` does. */
export function exactMoney(text: string, currency: string): ExactMoney {
  return { money: moneyFromDecimal(text, currency), decimal: text.replace(/^\+/, '') };
}

/** The decimal string of minor units, with exactly the currency's decimals: -1050 `aud` is `-10.50`. */
export function decimalFromMoney(money: Money): string {
  const exponent = currencyExponent(money.currency);
  const digits = String(Math.abs(money.amount)).padStart(exponent + 1, '0');
  const cut = digits.length - exponent;
  const text = exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return money.amount < 0 ? `-${text}` : text;
}
