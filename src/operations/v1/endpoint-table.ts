import { accountDetailsEndpoint } from './account-details.ts';
import { accountsEndpoint } from './accounts.ts';
import { balancesEndpoint } from './balances.ts';
import { categoriesEndpoint } from './categories.ts';
import { connectionsEndpoint } from './connections.ts';
import type { V1Endpoint } from './endpoint.ts';
import { holdingsEndpoint } from './holdings.ts';
import { tradesEndpoint } from './trades.ts';
import { transactionsEndpoint } from './transactions.ts';

/** Every endpoint of v1: routes and suites go through this table. Nothing is ever added to it. */
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
