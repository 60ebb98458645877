import type { TradeType } from '../../../vocabulary/holdings.ts';

/** The vendor's types, which it adds to: any other is `other` (docs/adding-a-provider.md#types-of-trades). */
const TYPES: ReadonlyMap<string, TradeType> = new Map([
  ['BUY', 'buy'],
  ['REI', 'buy'],
  ['SELL', 'sell'],
  ['DIVIDEND', 'dividend'],
  ['SUBSTITUTE_DIVIDEND', 'dividend'],
  ['DISTRIBUTION', 'dividend'],
  ['RETURN_OF_CAPITAL', 'dividend'],
  ['SPLIT', 'split'],
  ['REVERSE_SPLIT', 'split'],
  ['STOCK_DIVIDEND', 'split'],
  ['CONTRIBUTION', 'transfer'],
  ['WITHDRAWAL', 'transfer'],
  ['TRANSFER', 'transfer'],
  ['FEE', 'fee'],
  ['TAX', 'fee'],
  ['INTEREST', 'interest'],
]);
const TRANSFER = /(?:^|_)TRANSFER(?:_|$)/;

/** Our type of a vendor's type, in either case. */
export function tradeType(sent: string): TradeType {
  const type = sent.toUpperCase();
  return TYPES.get(type) ?? (TRANSFER.test(type) ? 'transfer' : 'other');
}
