import { Type } from 'typebox';
import { uncached, v1Endpoint } from '../endpoint.ts';
import { portfolioParameters, portfolioQuery } from '../portfolio-query.ts';
import { presentTrade } from '../presenters/positions.ts';
import { MOST_ROWS, pagesFor, USUAL_ROWS } from '../row-paging.ts';
import { momentText, paging } from '../schemas/conventions.ts';
import { tradesSchema } from '../schemas/trades.ts';

export const tradesEndpoint = v1Endpoint({
  id: 'v1_list_trades',
  summary: 'Trades of the accounts of a brokerage connection, newest first',
  path: '/v1/trades',
  scope: 'data:read',
  tier: 'heavy',
  planGate: 'brokerage_data',
  query: Type.Object({
    ...portfolioParameters,
    from: Type.Optional(momentText),
    to: Type.Optional(momentText),
    ...paging(MOST_ROWS),
  }),
  response: tradesSchema,
  handle: async (query, { caller, services, signal }) => {
    const { limit = USUAL_ROWS, offset = 0 } = query;
    const asked = {
      ...portfolioQuery(query, services.limits.balance_accounts),
      from: query.from ?? null,
      to: query.to ?? null,
      limit,
      offset,
      pages: pagesFor(offset + limit),
    };
    const part = await services.portfolioReads.trades(caller.accountRecord.id, asked, signal());
    // Beyond the row ceiling no more is shown: the empty page there ends the loop of a client that follows hasMore.
    const shown = part.total ?? services.limits.transaction_rows;
    const hasMore = part.total === null ? offset < shown : offset + limit < shown;
    const total = hasMore ? null : shown;
    return uncached({ data: part.items.map(presentTrade), pagination: { total, limit, offset, hasMore } });
  },
});
