import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import { merchantsSearch } from './search.ts';

export const merchantRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.merchants,
    validateSearch: merchantsSearch,
    component: laterPage(() => import('./merchants-page.tsx'), 'MerchantsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.merchant,
    component: laterPage(() => import('./merchant-page.tsx'), 'MerchantPage'),
  }),
] as const;
