import { type Static, Type } from 'typebox';
import { tradePlace } from '../../features/reads/brokerage-reads.ts';
import { TRADE_TYPES, type Trade } from '../../vocabulary/holdings.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { carried, listedAccount, listedPage, listRows } from '../list-rows.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, pagingQuery } from '../paging.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { exampleId, usd } from './docs/examples.ts';
import {
  currency,
  day,
  dayWindow,
  idOf,
  livemode,
  moneySchema,
  nullable,
  oneOf,
  providerIdOf,
  resource,
} from './schema/conventions.ts';
import { announceSetAside, bankListOf } from './set-aside-rows.ts';

const text = nullable(Type.String());
const money = nullable(moneySchema);
const decimal = nullable(Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }));

/** docs/resources.md#trade: amounts in the currency of the trade. */
export const tradeSchema = resource('trade', {
  id: providerIdOf('trade'),
  object: Type.Literal('trade'),
  account: idOf('account'),
  symbol: text,
  name: text,
  type: oneOf(TRADE_TYPES),
  quantity: decimal,
  price: money,
  price_decimal: decimal,
  currency,
  total_amount: money,
  total_amount_decimal: decimal,
  fees: money,
  fees_decimal: decimal,
  trade_date: day,
  settlement_date: nullable(day),
  description: text,
  livemode,
});

/** As `presentHolding`: `account` is a public id. */
export function presentTrade(row: Trade, account: string): Static<typeof tradeSchema> {
  return {
    id: row.id,
    object: 'trade',
    account,
    symbol: row.symbol,
    name: row.name,
    type: row.type,
    quantity: row.quantity,
    price: row.price?.money ?? null,
    price_decimal: row.price?.decimal ?? null,
    currency: row.currency,
    total_amount: row.total_amount?.money ?? null,
    total_amount_decimal: row.total_amount?.decimal ?? null,
    fees: row.fees?.money ?? null,
    fees_decimal: row.fees?.decimal ?? null,
    trade_date: row.trade_date,
    settlement_date: row.settlement_date,
    description: row.description,
    livemode: true,
  };
}

const tradeExample: Static<typeof tradeSchema> = {
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

export const tradesDocs: Readonly<Record<string, ResourceDocs>> = {
  trade: {
    description: 'A movement of a brokerage account.',
    fields: {
      id: 'trd_, a tag of the provider, and its id.',
      type: 'What happened; `other` for what has no word here.',
      quantity: 'A decimal as text.',
      price: 'Rounded to the minor unit of the currency; with all decimals beside it, as every amount here.',
    },
    example: tradeExample,
  },
};

const path = '/v2/trades';

export const tradeOperations: readonly Operation[] = [
  operation({
    id: 'list_trades',
    summary: 'List trades of a brokerage account, newest first',
    docs: { description: '`account` is required, unless `page` brings it along.' },
    method: 'GET',
    path,
    scope: 'data:read',
    tier: 'heavy',
    planGate: 'brokerage_data',
    query: Type.Object({
      ...pagingQuery,
      account: Type.Optional(idOf('account', 'The account, acct_….')),
      from: Type.Optional(dayWindow.from),
      to: Type.Optional(dayWindow.to),
    }),
    response: bankListOf(tradeSchema),
    errors: [...ACCOUNT_READ_ERRORS, 'parameter_missing', 'invalid_date_range', 'from_too_old'],
    handle: async (request) => {
      const { caller, services, signal } = request;
      const paging = new ListRequest(request, 'list_trades', path, request.query);
      const account = listedAccount(paging);
      const [from, to] = carried(paging);
      const query = {
        account,
        from: from ?? paging.filter('from') ?? null,
        to: to ?? paging.filter('to') ?? null,
        begun: from != null,
      };
      const owner = caller.accountRecord.id;
      const page = await services.brokerageReads.trades(owner, query, listedPage(paging), signal);
      announceSetAside(request, page.setAside);
      const shown = publicId('account', account);
      const list = { placeOf: tradePlace, carry: [page.from, page.to] };
      return listRows(paging, page, list, (row) => presentTrade(row, shown));
    },
  }),
];
