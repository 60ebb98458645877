import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { destinationSearch } from '../searches/destination.ts';
import { destinationReturn } from '../searches/destination-return.ts';
import { newDestinationSearch } from '../searches/new-destination.ts';

export const destinationRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.destinations,
    validateSearch: destinationReturn,
    component: laterPage(() => import('../../pages/destinations/destinations-page.tsx'), 'DestinationsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newDestination,
    validateSearch: newDestinationSearch,
    component: laterPage(
      () => import('../../pages/destinations/new-destination-page.tsx'),
      'NewDestinationPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.destination,
    validateSearch: destinationSearch,
    component: laterPage(() => import('../../pages/destinations/destination-page.tsx'), 'DestinationPage'),
  }),
] as const;
