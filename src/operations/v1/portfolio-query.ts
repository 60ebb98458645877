import { Type } from 'typebox';
import type { HeldPosition, MadeTrade, PortfolioQuery } from '../../features/reads/portfolio-reads.ts';
import type { ExactMoney } from '../../vocabulary/money.ts';
import { untaggedRowId } from '../../vocabulary/provider-kinds.ts';
import { idListText, idText, plain, requiredId } from './conventions.ts';
import { v1AccountIds, v1Id } from './ids.ts';

/** The parameters that say of which accounts. */
export const portfolioParameters = {
  connectionId: requiredId,
  accountId: Type.Optional(idText),
  accountIds: Type.Optional(idListText),
};

/**
 * `accountIds` goes before `accountId`; without either, all accounts of the connection. Raises the refusals of
 * `v1AccountIds`, and `resource_missing` with param `connection` or `account`.
 */
export function portfolioQuery(
  {
    connectionId,
    accountId,
    accountIds,
  }: {
    readonly connectionId: string;
    readonly accountId?: string | undefined;
    readonly accountIds?: string | undefined;
  },
  most: number,
): PortfolioQuery {
  const connection = v1Id('connection', connectionId, 'connection');
  if (accountIds !== undefined) return { connection, accounts: v1AccountIds(accountIds, most, 'account') };
  const accounts = accountId === undefined ? null : [v1Id('account', accountId, 'account')];
  return { connection, accounts };
}

/** v1 promises text where a broker may say nothing: a trade of cash has no symbol, and an amount in a coin no digits. */
const NO_SYMBOL = '';
const NO_AMOUNT = '0';

export function presentHolding({ account, holding }: HeldPosition) {
  return {
    id: untaggedRowId(holding.id),
    accountId: account.id,
    accountName: account.name,
    symbol: holding.symbol ?? NO_SYMBOL,
    name: holding.name,
    exchange: holding.exchange,
    currency: holding.currency.toUpperCase(),
    quantity: plain(holding.quantity),
    averagePrice: decimalOf(holding.average_price),
    currentPrice: decimalOf(holding.current_price),
    marketValue: decimalOf(holding.market_value),
    unrealizedPnl: decimalOf(holding.unrealized_pnl),
  };
}

export function presentTrade({ account, trade }: MadeTrade) {
  return {
    id: untaggedRowId(trade.id),
    accountId: account.id,
    accountName: account.name,
    symbol: trade.symbol ?? NO_SYMBOL,
    name: trade.name,
    type: trade.type,
    quantity: plain(trade.quantity ?? NO_AMOUNT),
    price: decimalOf(trade.price) ?? NO_AMOUNT,
    currency: trade.currency.toUpperCase(),
    totalAmount: decimalOf(trade.total_amount) ?? NO_AMOUNT,
    fees: decimalOf(trade.fees),
    tradeDate: trade.trade_datetime ?? trade.trade_date,
    settlementDate: trade.settlement_datetime ?? trade.settlement_date,
    description: trade.description,
  };
}

function decimalOf(money: ExactMoney | null): string | null {
  return money === null ? null : plain(money.decimal);
}
