import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { connections } from '../api/connections.ts';
import { destinations } from '../api/destinations.ts';
import { eventDestinations } from '../api/events.ts';
import { me } from '../api/me.ts';
import { queries } from '../api/queries.ts';
import { syncs } from '../api/syncs.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import type { Search } from '../shell/search.ts';
import { HomePage } from './home-page.tsx';

export const homeRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.home,
    // Part of the first script, since most visits begin here: on a slow network, another one is another wait.
    component: HomePage,
    // Asked for before the page is rendered for the first time.
    loader: () => {
      queries.prefetchQuery(connections);
      queries.prefetchQuery(destinations);
      queries.prefetchQuery(eventDestinations);
      queries.prefetchQuery(syncs);
      queries.prefetchQuery(me);
    },
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.welcome,
    validateSearch: welcomeSearch,
    component: laterPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
  }),
] as const;

/** How linking or connecting ended that began on the welcome page. */
interface WelcomeSearch {
  readonly link_session?: 'completed' | 'failed';
  readonly destination_link?: 'completed' | 'failed';
  readonly reason?: string;
}

function welcomeSearch({ link_session: bank, destination_link: destination, reason }: Search): WelcomeSearch {
  return {
    ...((bank === 'completed' || bank === 'failed') && { link_session: bank }),
    ...((destination === 'completed' || destination === 'failed') && { destination_link: destination }),
    ...(typeof reason === 'string' && { reason }),
  };
}
