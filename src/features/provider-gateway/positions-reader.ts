import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { DayRange, GatewayAccount } from './gateway-types.ts';
import type { UpstreamCalls } from './upstream-calls.ts';

/** Reads of a brokerage account. Never kept: what is held is what is held now (service facts 12). */
export class PositionsReader {
  readonly #calls: UpstreamCalls;

  constructor(calls: UpstreamCalls) {
    this.#calls = calls;
  }

  holdings(account: GatewayAccount, signal: AbortSignal): Promise<Holding[]> {
    const { grant } = account.connection;
    return this.#calls.account(account, 'holdings', signal, async (adapter, s) => {
      if (adapter.readHoldings === undefined) throw lacking();
      return adapter.readHoldings(grant, account.upstreamId, s);
    });
  }

  /** Trades of the days of the range, both ends included. */
  async trades(account: GatewayAccount, { from, to }: DayRange, signal: AbortSignal): Promise<Trade[]> {
    const { upstreamId, timezone, connection } = account;
    const query = { account: upstreamId, timezone, from, to };
    const trades = await this.#calls.account(account, 'trades', signal, async (adapter, s) => {
      if (adapter.readTrades === undefined) throw lacking();
      return adapter.readTrades(connection.grant, query, s);
    });
    return trades.filter(({ trade_date: day }) => day >= from && day <= to);
  }
}

function lacking(): UpstreamFailure {
  return new UpstreamFailure('not_implemented', 'The adapter lacks a read it says it offers.');
}
