import type { V1Endpoint } from './endpoint.ts';
import { accountDetailsEndpoint } from './endpoints/account-details.ts';
import { accountsEndpoint } from './endpoints/accounts.ts';
import { balancesEndpoint } from './endpoints/balances.ts';
import { categoriesEndpoint } from './endpoints/categories.ts';
import { connectionsEndpoint } from './endpoints/connections.ts';
import { holdingsEndpoint } from './endpoints/holdings.ts';
import { tradesEndpoint } from './endpoints/trades.ts';
import { transactionsEndpoint } from './endpoints/transactions.ts';

/** Every endpoint of v1: routes and suites walk this table. Nothing is ever added to it. */
export const V1_ENDPOINTS: readonly V1Endpoint[] = [
  connectionsEndpoint,
  accountsEndpoint,
  balancesEndpoint,
  accountDetailsEndpoint,
  transactionsEndpoint,
  holdingsEndpoint,
  tradesEndpoint,
  categoriesEndpoint,
];
