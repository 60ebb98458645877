import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import { newSyncSearch, syncSearch } from './search.ts';

export const syncRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.syncs,
    component: laterPage(() => import('./syncs-page.tsx'), 'SyncsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.newSync,
    validateSearch: newSyncSearch,
    component: laterPage(() => import('./new/new-sync-page.tsx'), 'NewSyncPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.sync,
    validateSearch: syncSearch,
    component: laterPage(() => import('./sync-page.tsx'), 'SyncPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.syncRun,
    component: laterPage(() => import('./sync-run-page.tsx'), 'SyncRunPage'),
  }),
] as const;
