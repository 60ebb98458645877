import { type Static, Type } from 'typebox';
import { ascending, sortedPage } from '../../features/reads/sorted-page.ts';
import { ASSET_TYPES, type Holding } from '../../vocabulary/holdings.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { listedAccount, listedPage, listRows } from '../list-rows.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, pagingQuery } from '../paging.ts';
import { ACCOUNT_READ_ERRORS } from '../read-errors.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { exampleId, usd } from './docs/examples.ts';
import {
  currency,
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
const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });

/** docs/resources.md#holding: prices and values in the holding's currency. */
export const holdingSchema = resource('holding', {
  id: providerIdOf('holding'),
  object: Type.Literal('holding'),
  account: idOf('account'),
  symbol: text,
  name: text,
  exchange: text,
  asset_type: nullable(oneOf(ASSET_TYPES)),
  currency,
  quantity: decimal,
  average_price: money,
  average_price_decimal: nullable(decimal),
  current_price: money,
  current_price_decimal: nullable(decimal),
  market_value: money,
  market_value_decimal: nullable(decimal),
  unrealized_pnl: money,
  unrealized_pnl_decimal: nullable(decimal),
  livemode,
});

/** `account` is a public id. Amounts are shown in minor units, and beside them with all
 * their decimals (docs/api-conventions.md#money). */
export function presentHolding(row: Holding, account: string): Static<typeof holdingSchema> {
  return {
    id: row.id,
    object: 'holding',
    account,
    symbol: row.symbol,
    name: row.name,
    exchange: row.exchange,
    asset_type: row.asset_type,
    currency: row.currency,
    quantity: row.quantity,
    average_price: row.average_price?.money ?? null,
    average_price_decimal: row.average_price?.decimal ?? null,
    current_price: row.current_price?.money ?? null,
    current_price_decimal: row.current_price?.decimal ?? null,
    market_value: row.market_value?.money ?? null,
    market_value_decimal: row.market_value?.decimal ?? null,
    unrealized_pnl: row.unrealized_pnl?.money ?? null,
    unrealized_pnl_decimal: row.unrealized_pnl?.decimal ?? null,
    livemode: true,
  };
}

const holdingExample: Static<typeof holdingSchema> = {
  id: 'hold_st_2b97',
  object: 'holding',
  account: exampleId('account', 2),
  symbol: 'VTI',
  name: 'Total Market Fund',
  exchange: 'ARCX',
  asset_type: 'etf',
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

export const holdingsDocs: Readonly<Record<string, ResourceDocs>> = {
  holding: {
    description: 'A position of a brokerage account now.',
    fields: {
      id: 'hold_, a tag of the provider, and its id.',
      asset_type: 'What it is a position in; null if the broker does not say.',
      quantity: 'A decimal as text.',
      average_price:
        'Rounded to the minor unit of the currency; with all decimals beside it, as every amount here.',
      unrealized_pnl: 'What selling now would gain, or lose.',
    },
    example: holdingExample,
  },
};

const path = '/v2/holdings';

export const holdingOperations: readonly Operation[] = [
  operation({
    id: 'list_holdings',
    summary: 'List what a brokerage account holds now',
    docs: { description: '`account` is required, unless `page` brings it along.' },
    method: 'GET',
    path,
    scope: 'data:read',
    tier: 'heavy',
    planGate: 'brokerage_data',
    query: Type.Object({
      ...pagingQuery,
      account: Type.Optional(idOf('account', 'The account, acct_….')),
    }),
    response: bankListOf(holdingSchema),
    errors: [...ACCOUNT_READ_ERRORS, 'parameter_missing'],
    handle: async (request) => {
      const { caller, services, signal } = request;
      const paging = new ListRequest(request, 'list_holdings', path, request.query);
      const id = listedAccount(paging);
      const asked = listedPage(paging);
      const owner = caller.accountRecord.id;
      const { holdings, setAside } = await services.brokerageReads.holdings(owner, id, signal);
      announceSetAside(request, setAside);
      const shown = publicId('account', id);
      const placeOf = ({ symbol, id }: Holding) => ({ by: symbol ?? '', id });
      const page = sortedPage(holdings, { placeOf, compare: ascending }, asked);
      return listRows(paging, { ...page, setAside }, { placeOf, carry: [] }, (row) =>
        presentHolding(row, shown),
      );
    },
  }),
];
