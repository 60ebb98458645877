import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { eventsSearch } from '../searches/events.ts';

/** Pages for those who write programs against the service, or connect them to it. */
export const developerRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.apiKeys,
    component: lazyRouteComponent(() => import('../../pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newApiKey,
    component: lazyRouteComponent(() => import('../../pages/api-keys/new-api-key-page.tsx'), 'NewApiKeyPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.apiKey,
    component: lazyRouteComponent(() => import('../../pages/api-keys/api-key-page.tsx'), 'ApiKeyPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.events,
    validateSearch: eventsSearch,
    component: lazyRouteComponent(() => import('../../pages/events/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.event,
    component: lazyRouteComponent(() => import('../../pages/events/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.eventDestinations,
    component: lazyRouteComponent(
      () => import('../../pages/event-destinations/event-destinations-page.tsx'),
      'EventDestinationsPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newEventDestination,
    component: lazyRouteComponent(
      () => import('../../pages/event-destinations/new-event-destination-page.tsx'),
      'NewEventDestinationPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.eventDestination,
    component: lazyRouteComponent(
      () => import('../../pages/event-destinations/event-destination-page.tsx'),
      'EventDestinationPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.reference,
    component: lazyRouteComponent(() => import('../../pages/reference/reference-page.tsx'), 'ReferencePage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.operation,
    component: lazyRouteComponent(() => import('../../pages/reference/operation-page.tsx'), 'OperationPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.agents,
    component: lazyRouteComponent(() => import('../../pages/agents/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.connectedApps,
    component: lazyRouteComponent(
      () => import('../../pages/connected-apps/connected-apps-page.tsx'),
      'ConnectedAppsPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.simplefin,
    component: lazyRouteComponent(() => import('../../pages/simplefin/simplefin-page.tsx'), 'SimplefinPage'),
  }),
] as const;
