import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { eventsSearch } from '../searches/events.ts';

/** Pages for those who write programs against the service, or connect them to it. */
export const developerRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.apiKeys,
    component: laterPage(() => import('../../pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newApiKey,
    component: laterPage(() => import('../../pages/api-keys/new-api-key-page.tsx'), 'NewApiKeyPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.apiKey,
    component: laterPage(() => import('../../pages/api-keys/api-key-page.tsx'), 'ApiKeyPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.events,
    validateSearch: eventsSearch,
    component: laterPage(() => import('../../pages/events/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.event,
    component: laterPage(() => import('../../pages/events/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.eventDestinations,
    component: laterPage(
      () => import('../../pages/event-destinations/event-destinations-page.tsx'),
      'EventDestinationsPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.newEventDestination,
    component: laterPage(
      () => import('../../pages/event-destinations/new-event-destination-page.tsx'),
      'NewEventDestinationPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.eventDestination,
    component: laterPage(
      () => import('../../pages/event-destinations/event-destination-page.tsx'),
      'EventDestinationPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.reference,
    component: laterPage(() => import('../../pages/reference/reference-page.tsx'), 'ReferencePage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.operation,
    component: laterPage(() => import('../../pages/reference/operation-page.tsx'), 'OperationPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.agents,
    component: laterPage(() => import('../../pages/agents/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.connectedApps,
    component: laterPage(
      () => import('../../pages/connected-apps/connected-apps-page.tsx'),
      'ConnectedAppsPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.simplefin,
    component: laterPage(() => import('../../pages/simplefin/simplefin-page.tsx'), 'SimplefinPage'),
  }),
] as const;
