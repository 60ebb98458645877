import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import { transactionsSearch } from './search.ts';

export const transactionRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.transactions,
    validateSearch: transactionsSearch,
    component: laterPage(() => import('./transactions-page.tsx'), 'TransactionsPage'),
  }),
] as const;
