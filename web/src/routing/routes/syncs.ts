import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { newSyncSearch } from '../searches/new-sync.ts';
import { syncSearch } from '../searches/sync.ts';

export const syncRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.syncs,
    component: laterPage(() => import('../../pages/syncs/syncs-page.tsx'), 'SyncsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newSync,
    validateSearch: newSyncSearch,
    component: laterPage(() => import('../../pages/new-sync/new-sync-page.tsx'), 'NewSyncPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.sync,
    validateSearch: syncSearch,
    component: laterPage(() => import('../../pages/sync/sync-page.tsx'), 'SyncPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.syncRun,
    component: laterPage(() => import('../../pages/sync-run/sync-run-page.tsx'), 'SyncRunPage'),
  }),
] as const;
