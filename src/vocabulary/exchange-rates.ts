/** What one unit of a currency is worth in another, as the operator configured it (docs/configuration.md). */
export interface ExchangeRate {
  /** Lower-case ISO 4217 codes, never the same. */
  readonly from: string;
  readonly to: string;
  /** A positive decimal in all the digits that were written. */
  readonly rate: string;
}

/** Up to twelve digits on either side of the point: more than any published rate has. */
const RATE = /^([A-Za-z]{3}):([A-Za-z]{3})=(\d{1,12}(?:\.\d{1,12})?)$/;

/** Reads `EUR:AUD=1.65`; null for every other text, a rate of zero, and a currency against itself. */
export function parseExchangeRate(text: string): ExchangeRate | null {
  const [, from = '', to = '', rate = ''] = RATE.exec(text) ?? [];
  const pair = { from: from.toLowerCase(), to: to.toLowerCase() };
  return pair.from === pair.to || !/[1-9]/.test(rate) ? null : { ...pair, rate };
}

/** The text that `parseExchangeRate` reads. */
export function exchangeRateText({ from, to, rate }: ExchangeRate): string {
  return `${from.toUpperCase()}:${to.toUpperCase()}=${rate}`;
}
