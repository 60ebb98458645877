import { Type } from 'typebox';
import { currency, decimal, decimalOrNull, shape, textOrNull, uuid } from './conventions.ts';
import { uncached, v1Endpoint } from './endpoint.ts';
import { portfolioParameters, portfolioQuery, presentHolding } from './portfolio-query.ts';

export const holdingsSchema = shape({
  data: Type.Array(
    shape({
      id: Type.String(),
      accountId: uuid,
      accountName: Type.String(),
      symbol: Type.String(),
      name: textOrNull,
      exchange: textOrNull,
      currency,
      quantity: decimal,
      averagePrice: decimalOrNull,
      currentPrice: decimalOrNull,
      marketValue: decimalOrNull,
      unrealizedPnl: decimalOrNull,
    }),
  ),
});

export const holdingsEndpoint = v1Endpoint({
  id: 'v1_list_holdings',
  summary: 'What the accounts of a brokerage connection hold now',
  path: '/v1/holdings',
  scope: 'data:read',
  tier: 'heavy',
  planGate: 'brokerage_data',
  query: Type.Object(portfolioParameters),
  response: holdingsSchema,
  handle: async (query, { caller, services, signal }) => {
    const asked = portfolioQuery(query, services.limits.balance_accounts);
    const held = await services.portfolioReads.holdings(caller.accountRecord.id, asked, signal());
    return uncached({ data: held.map(presentHolding) });
  },
});
