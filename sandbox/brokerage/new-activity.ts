import { randomUUID } from 'node:crypto';
import { ControlError } from '../shared/control.ts';
import { isDecimal } from '../shared/decimal.ts';
import type { Activity } from './activity.ts';

/** A row as entered by a person or a test. */
export type NewActivity = {
  readonly type: string;
  /** A day or a time; default now. */
  readonly tradeDate?: string;
  readonly description?: string;
  readonly symbol?: string;
  readonly currency?: string;
  readonly units?: string;
  readonly price?: string;
  readonly amount?: string;
  readonly fee?: string;
};

const EXCHANGES: Readonly<Record<string, string>> = { '.TO': 'XTSE', '.L': 'XLON', '.AX': 'XASX' };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The row, with its own id. Throws {@link ControlError} on an invalid figure or date. */
export function activityFrom(row: NewActivity, now: number): Activity {
  const { type, symbol, currency = 'USD', description = row.type } = row;
  for (const name of ['units', 'price', 'amount', 'fee'] as const) {
    const value = row[name];
    if (value !== undefined && !isDecimal(value)) throw new ControlError(`${name} must be a plain decimal.`);
  }
  const given = row.tradeDate ?? new Date(now).toISOString();
  const tradeDate = DAY.test(given) ? `${given}T00:00:00Z` : given;
  if (Number.isNaN(Date.parse(tradeDate))) throw new ControlError('tradeDate must be a day or a moment.');
  return {
    id: randomUUID(),
    tradeDate,
    settlementDate: null,
    type,
    instrument:
      symbol === undefined
        ? null
        : { kind: 'stock', symbol, name: symbol, currency, exchange: exchangeOf(symbol) },
    quote: null,
    currency,
    units: row.units ?? null,
    price: row.price ?? null,
    amount: row.amount ?? null,
    fee: row.fee ?? null,
    description,
  };
}

/** By the suffix that the vendor gives symbols of other countries. */
function exchangeOf(symbol: string): string {
  const [, ending = ''] = /(\.[A-Z]+)$/.exec(symbol) ?? [];
  return EXCHANGES[ending] ?? 'XNAS';
}
