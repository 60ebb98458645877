import { BalanceReads, type BalanceReadsDependencies } from './balance-reads.ts';
import { BrokerageReads, type BrokerageReadsDependencies } from './brokerage-reads.ts';

/** Reads of live data that need nothing but accounts and the gateway. */
export interface DataReads {
  readonly balanceReads: BalanceReads;
  readonly brokerageReads: BrokerageReads;
}

export function createDataReads(deps: BalanceReadsDependencies & BrokerageReadsDependencies): DataReads {
  return { balanceReads: new BalanceReads(deps), brokerageReads: new BrokerageReads(deps) };
}
