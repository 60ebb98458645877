import { createRoute } from '@tanstack/react-router';
import { connections } from '../../api/connections.ts';
import { destinations } from '../../api/destinations.ts';
import { eventDestinations } from '../../api/events.ts';
import { me } from '../../api/me.ts';
import { queries } from '../../api/queries.ts';
import { syncs } from '../../api/syncs.ts';
import { HomePage } from '../../home/home-page.tsx';
import { holdingsSearch, tradesSearch } from '../../investments/search.ts';
import { transactionsSearch } from '../../transactions/search.ts';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';

/** Pages that show what banks and brokers report. */
export const moneyRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.home,
    // Part of the first script, since most visits begin here: on a slow network, another one is another wait.
    component: HomePage,
    // Asked for before the page is rendered for the first time.
    loader: () => {
      queries.prefetchQuery(connections);
      queries.prefetchQuery(destinations);
      queries.prefetchQuery(eventDestinations);
      queries.prefetchQuery(syncs);
      queries.prefetchQuery(me);
    },
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.transactions,
    validateSearch: transactionsSearch,
    component: laterPage(() => import('../../transactions/transactions-page.tsx'), 'TransactionsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.holdings,
    validateSearch: holdingsSearch,
    component: laterPage(() => import('../../investments/holdings-page.tsx'), 'HoldingsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.trades,
    validateSearch: tradesSearch,
    component: laterPage(() => import('../../investments/trades-page.tsx'), 'TradesPage'),
  }),
] as const;
