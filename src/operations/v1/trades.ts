import { Type } from 'typebox';
import { TRADE_TYPES } from '../../vocabulary/holdings.ts';
import { oneOf } from '../v2/schema/conventions.ts';
import {
  currency,
  decimal,
  decimalOrNull,
  momentText,
  orNull,
  paginationOf,
  paging,
  shape,
  textOrNull,
  uuid,
} from './conventions.ts';
import { uncached, v1Endpoint } from './endpoint.ts';
import { MOST_ROWS, pagesFor, USUAL_ROWS } from './paging.ts';
import { portfolioParameters, portfolioQuery, presentTrade } from './portfolio-query.ts';

/** A day, or a moment where the broker names one. */
const dayOrMoment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T.+)?$' });

export const tradesSchema = shape({
  data: Type.Array(
    shape({
      id: Type.String({ pattern: '^snap_' }),
      accountId: uuid,
      accountName: Type.String(),
      symbol: Type.String(),
      name: textOrNull,
      type: oneOf(TRADE_TYPES),
      quantity: decimal,
      price: decimal,
      currency,
      totalAmount: decimal,
      fees: decimalOrNull,
      tradeDate: dayOrMoment,
      settlementDate: orNull(dayOrMoment),
      description: textOrNull,
    }),
  ),
  pagination: paginationOf(orNull(Type.Integer())),
});

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
