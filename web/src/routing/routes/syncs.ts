import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { newSyncSearch } from '../searches/new-sync.ts';
import { syncSearch } from '../searches/sync.ts';

export const syncRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.syncs,
    component: lazyRouteComponent(() => import('../../pages/syncs/syncs-page.tsx'), 'SyncsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newSync,
    validateSearch: newSyncSearch,
    component: lazyRouteComponent(() => import('../../pages/new-sync/new-sync-page.tsx'), 'NewSyncPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.sync,
    validateSearch: syncSearch,
    component: lazyRouteComponent(() => import('../../pages/sync/sync-page.tsx'), 'SyncPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.syncRun,
    component: lazyRouteComponent(() => import('../../pages/sync-run/sync-run-page.tsx'), 'SyncRunPage'),
  }),
] as const;
