import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { connectionsSearch } from '../searches/connections.ts';

export const connectionRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.connections,
    validateSearch: connectionsSearch,
    component: laterPage(() => import('../../pages/connections/connections-page.tsx'), 'ConnectionsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newConnection,
    component: laterPage(
      () => import('../../pages/connections/new-connection-page.tsx'),
      'NewConnectionPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.connection,
    component: laterPage(() => import('../../pages/connections/connection-page.tsx'), 'ConnectionPage'),
  }),
] as const;
