import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import { holdingsSearch, tradesSearch } from './search.ts';

export const investmentRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.holdings,
    validateSearch: holdingsSearch,
    component: laterPage(() => import('./holdings-page.tsx'), 'HoldingsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.trades,
    validateSearch: tradesSearch,
    component: laterPage(() => import('./trades-page.tsx'), 'TradesPage'),
  }),
] as const;
