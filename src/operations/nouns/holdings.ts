import type { Static } from 'typebox';
import type { holdingSchema } from '../schemas/holdings.ts';
import { exampleId, usd } from './example-values.ts';
import type { Noun } from './noun.ts';

const holding: Static<typeof holdingSchema> = {
  id: 'hold_st_2b97',
  object: 'holding',
  account: exampleId('account', 2),
  symbol: 'VTI',
  name: 'Total Market Fund',
  exchange: 'ARCX',
  currency: 'usd',
  quantity: '12.5',
  average_price: usd(21_040),
  average_price_decimal: '210.4012',
  current_price: usd(29_812),
  current_price_decimal: '298.12',
  market_value: usd(372_650),
  market_value_decimal: '3726.5',
  unrealized_pnl: usd(109_649),
  unrealized_pnl_decimal: '1096.485',
  livemode: true,
};

export const holdingsNoun: Noun = {
  tag: 'holdings',
  description: 'What brokerage accounts hold, read live and never stored. Needs a Professional plan.',
  resources: {
    holding: {
      description: 'A position of a brokerage account now.',
      fields: {
        id: 'hold_, a tag of the provider, and its id.',
        quantity: 'A decimal as text.',
        average_price:
          'Rounded to the minor unit of the currency; with all decimals beside it, as every amount here.',
        unrealized_pnl: 'What selling now would gain, or lose.',
      },
      example: holding,
    },
  },
  operations: {
    list_holdings: { description: '`account` is required, unless `page` brings it along.' },
  },
};
