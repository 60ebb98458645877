import { centsText } from '../../shared/decimal.ts';
import { mix32, seedOf } from '../../shared/random.ts';
import { midnightsBefore } from './calendar.ts';
import { HIGH_STREET } from './merchants.ts';
import type { Row, SettledRows } from './row.ts';

/** The spread of a computed statement: inside any six-month window. */
const DAYS = 150;
const PERIOD = 4096;

/**
 * A statement of any length whose rows are derived from their index (0 = newest): neither memory nor the cost of a page
 * grows with it.
 */
export class ComputedRows implements SettledRows {
  readonly length: number;
  /** Exact sum of all amounts. */
  readonly total: string;
  readonly #seed: number;
  readonly #midnights: readonly number[];

  constructor(scope: string, length: number, startedAt: number) {
    this.length = length;
    this.#seed = seedOf('computed', scope);
    // The current day may still change: yesterday is the newest.
    this.#midnights = midnightsBefore(startedAt, DAYS + 1).slice(1);
    const cents = Array.from({ length: PERIOD }, (_, slot) => this.#cents(slot));
    const sum = (some: readonly number[]): number => some.reduce((all, one) => all + one, 0);
    const whole = Math.floor(length / PERIOD) * sum(cents);
    this.total = centsText(whole + sum(cents.slice(0, length % PERIOD)));
  }

  dateAt(index: number): number {
    return this.#midnights[Math.floor((index * DAYS) / this.length)] ?? 0;
  }

  row(index: number): Row {
    const date = this.dateAt(index);
    const merchant = HIGH_STREET[mix32(this.#seed + index) % HIGH_STREET.length] ?? HIGH_STREET[0];
    return {
      key: String(index),
      date,
      pendingFrom: null,
      settles: date,
      vanishes: false,
      amount: centsText(this.#cents(index % PERIOD)),
      description: merchant.statement,
      type: 'EFTPOS',
      merchant: merchant.name,
      category: merchant.category,
      meta: { reference: String(index) },
    };
  }

  /** Purchases of 1.00 to 250.99; one row in sixteen is money in. */
  #cents(slot: number): number {
    const scatter = mix32(this.#seed ^ slot);
    const cents = 100 + (scatter % 25_000);
    return scatter >>> 28 === 0 ? cents : -cents;
  }
}
