import { Type } from 'typebox';
import { uncached, v1Endpoint } from '../endpoint.ts';
import { portfolioParameters, portfolioQuery } from '../portfolio-query.ts';
import { presentHolding } from '../presenters/positions.ts';
import { holdingsSchema } from '../schemas/holdings.ts';

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
