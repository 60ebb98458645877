import type { Trade } from '../../../../src/vocabulary/holdings.ts';
import { addDays } from '../../../../src/vocabulary/moments.ts';
import { EPOCH } from '../../../features/sync-engine/support/bank.ts';

/** A purchase, with the same id for the same number in every account. */
export function trade(number: number, quantity: string): Trade {
  return {
    id: `trd_st_${number}`,
    symbol: 'ACME',
    name: 'Acme',
    type: 'buy',
    quantity,
    price: null,
    currency: 'usd',
    total_amount: null,
    fees: null,
    trade_date: addDays(EPOCH, 45),
    trade_datetime: null,
    settlement_date: null,
    settlement_datetime: null,
    description: null,
  };
}
