import type { Clock } from '../../platform/clock.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Accounts } from '../linking/accounts.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { AccountReads, type AccountReadsDependencies } from './account-reads.ts';
import { AccountSets } from './account-sets.ts';
import { BalanceReads } from './balance-reads.ts';
import { BrokerageReads } from './brokerage-reads.ts';
import { DetailReads } from './detail-reads.ts';
import { PortfolioReads } from './portfolio-reads.ts';

export interface ReadsOptions {
  readonly accounts: Accounts;
  readonly gateway: ProviderGateway;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly limits: Limits;
  /** Finds the owner's categories for transactions. */
  readonly categories: AccountReadsDependencies['categories'];
  readonly knownCategories: AccountReadsDependencies['knownCategories'];
}

/** Reads of live data through the gateway: transactions, details, balances, holdings and trades. Nothing is stored. */
export interface Reads {
  readonly accountReads: AccountReads;
  readonly accountSets: AccountSets;
  readonly balanceReads: BalanceReads;
  readonly brokerageReads: BrokerageReads;
  readonly detailReads: DetailReads;
  readonly portfolioReads: PortfolioReads;
}

export function createReads(options: ReadsOptions): Reads {
  return {
    accountReads: new AccountReads(options),
    accountSets: new AccountSets(options),
    balanceReads: new BalanceReads(options),
    brokerageReads: new BrokerageReads(options),
    detailReads: new DetailReads(options),
    portfolioReads: new PortfolioReads(options),
  };
}
