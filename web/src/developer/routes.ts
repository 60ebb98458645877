import { createRoute } from '@tanstack/react-router';
import { type EventSelector, isEventSelector } from '../../../src/vocabulary/event-selectors.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import type { Search } from '../shell/search.ts';

/** Pages for developers, and for connecting programs. */
export const developerRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.apiKeys,
    component: laterPage(() => import('./keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.newApiKey,
    component: laterPage(() => import('./keys/new-api-key-page.tsx'), 'NewApiKeyPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.apiKey,
    component: laterPage(() => import('./keys/api-key-page.tsx'), 'ApiKeyPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.events,
    validateSearch: eventsSearch,
    component: laterPage(() => import('./events/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.event,
    component: laterPage(() => import('./events/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.eventDestinations,
    component: laterPage(() => import('./events/event-destinations-page.tsx'), 'EventDestinationsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.newEventDestination,
    component: laterPage(() => import('./events/new-event-destination-page.tsx'), 'NewEventDestinationPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.eventDestination,
    component: laterPage(() => import('./events/event-destination-page.tsx'), 'EventDestinationPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.reference,
    component: laterPage(() => import('./reference/reference-page.tsx'), 'ReferencePage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.operation,
    component: laterPage(() => import('./reference/operation-page.tsx'), 'OperationPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.agents,
    component: laterPage(() => import('./apps/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.connectedApps,
    component: laterPage(() => import('./apps/connected-apps-page.tsx'), 'ConnectedAppsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.simplefin,
    component: laterPage(() => import('./apps/simplefin-page.tsx'), 'SimplefinPage'),
  }),
] as const;

/** Which events are shown. */
interface EventsSearch {
  readonly type?: EventSelector;
}

function eventsSearch({ type }: Search): EventsSearch {
  return typeof type === 'string' && isEventSelector(type) ? { type } : {};
}
