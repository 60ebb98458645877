import type { Static } from 'typebox';
import type { tradeSchema } from '../schemas/trades.ts';
import { exampleId, usd } from './example-values.ts';
import type { Noun } from './noun.ts';

const trade: Static<typeof tradeSchema> = {
  id: 'trd_st_90ac',
  object: 'trade',
  account: exampleId('account', 2),
  symbol: 'VTI',
  name: 'Total Market Fund',
  type: 'buy',
  quantity: '2.5',
  price: usd(29_640),
  price_decimal: '296.4',
  currency: 'usd',
  total_amount: usd(74_100),
  total_amount_decimal: '741',
  fees: usd(0),
  fees_decimal: '0',
  trade_date: '2026-11-17',
  settlement_date: '2026-11-18',
  description: null,
  livemode: true,
};

export const tradesNoun: Noun = {
  tag: 'trades',
  description: 'What brokerage accounts bought, sold and were paid. Needs a Professional plan.',
  resources: {
    trade: {
      description: 'A movement of a brokerage account.',
      fields: {
        id: 'trd_, a tag of the provider, and its id.',
        type: 'What happened; `other` for what has no word here.',
        quantity: 'A decimal as text.',
        price:
          'Rounded to the minor unit of the currency; with all decimals beside it, as every amount here.',
      },
      example: trade,
    },
  },
  operations: {
    list_trades: { description: '`account` is required, unless `page` brings it along.' },
  },
};
