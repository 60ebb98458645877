import type { Transaction } from '#client';
import { type Movement, movementOf } from '../accounts/net-position.ts';
import type { SpendingRules } from '../accounts/spending-rules.ts';
import { merchantOf } from '../api/merchants.ts';
import type { Steps } from '../parts/steps.ts';
import { type Series, seriesIn } from '../recurring/series.ts';

/** What there is of one merchant among the rows that have been read. */
export interface MerchantRows {
  readonly key: string;
  /** All that were looked at; null if none had arrived. */
  readonly among: readonly Transaction[] | null;
  readonly rows: readonly Transaction[];
  /** What its rows call it, each once, in the order of the rows. */
  readonly names: readonly string[];
  /** Of the posted ones. */
  readonly movements: readonly Movement[];
  readonly series: readonly Series[];
}

/** Rows that are looked at between two looks at the clock. */
const STRIDE = 500;

/** The rows of the merchant with this key, in steps, because there may be 100,000 to look at. */
export function* merchantRows(
  among: readonly Transaction[] | null,
  key: string,
  rules: SpendingRules,
  today: string,
): Steps<MerchantRows> {
  const rows: Transaction[] = [];
  const names = new Set<string>();
  const movements: Movement[] = [];
  for (const [at, row] of (among ?? []).entries()) {
    if (at % STRIDE === STRIDE - 1) yield;
    const merchant = merchantOf(row);
    if (merchant.key !== key) continue;
    rows.push(row);
    names.add(merchant.name);
    const movement = row.status === 'posted' ? movementOf(row) : null;
    if (movement !== null) movements.push(movement);
  }
  const series = yield* seriesIn(movements, rules, today);
  return { key, among, rows, names: [...names], movements, series };
}
