import { type ExchangeRate, parseExchangeRate } from '../../../src/vocabulary/exchange-rates.ts';
import { type Factor, factorOf, minorUnits, ONE, quantityText } from './decimals.ts';

/** The rates that the operator configured, as the service wrote them into the page. */
export function ratesIn(names: readonly string[]): readonly ExchangeRate[] {
  return names.map(parseExchangeRate).filter((rate) => rate !== null);
}

/**
 * The rate between two currencies, in whichever direction it was configured; null if there is none. Rates are not
 * combined: what is shown names one rate that a person can look up.
 */
export function rateBetween(a: string, b: string, rates: readonly ExchangeRate[]): ExchangeRate | null {
  return rates.find(({ from, to }) => (from === a && to === b) || (from === b && to === a)) ?? null;
}

/**
 * A decimal of one currency in minor units of another, rounded once, half away from zero; null without a rate. An amount
 * that already is in the currency needs none.
 */
export function converted(
  decimal: string,
  from: string,
  to: string,
  rates: readonly ExchangeRate[],
): bigint | null {
  const factor = factorBetween(from, to, rates);
  return factor === null ? null : minorUnits(decimal, to, factor);
}

function factorBetween(from: string, to: string, rates: readonly ExchangeRate[]): Factor | null {
  if (from === to) return ONE;
  const rate = rateBetween(from, to, rates);
  if (rate === null) return null;
  const { numerator, denominator } = factorOf(rate.rate);
  return rate.from === from ? { numerator, denominator } : { numerator: denominator, denominator: numerator };
}

/** `1 EUR = 1.65 AUD`, in the direction and with the digits that the operator wrote. */
export function rateText({ from, to, rate }: ExchangeRate): string {
  return `1 ${from.toUpperCase()} = ${quantityText(rate)} ${to.toUpperCase()}`;
}
