import type { Trade } from '#client';

/** What the list shows from top to bottom: days, and the trades of each. */
export type TradeEntry =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'row'; readonly key: string; readonly row: Trade };

/** The entries of trades that come newest first. */
export function tradeEntries(trades: readonly Trade[]): readonly TradeEntry[] {
  const entries: TradeEntry[] = [];
  let day: string | null = null;
  for (const row of trades) {
    if (row.trade_date !== day) {
      entries.push({ kind: 'day', key: `day ${row.trade_date}`, day: row.trade_date });
      day = row.trade_date;
    }
    entries.push({ kind: 'row', key: row.id, row });
  }
  return entries;
}
