import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import { destinationReturn, destinationSearch, newDestinationSearch } from './search.ts';

export const destinationRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.destinations,
    validateSearch: destinationReturn,
    component: laterPage(() => import('./destinations-page.tsx'), 'DestinationsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.newDestination,
    validateSearch: newDestinationSearch,
    component: laterPage(() => import('./new-destination-page.tsx'), 'NewDestinationPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.destination,
    validateSearch: destinationSearch,
    component: laterPage(() => import('./destination-page.tsx'), 'DestinationPage'),
  }),
] as const;
