import { createRouter } from '@tanstack/react-router';
import { appUrl } from '../api/app-url.ts';
import { connectionRoutes } from '../banks/routes.ts';
import { developerRoutes } from '../developer/routes.ts';
import { sortingRoutes } from '../rules/routes.ts';
import { MissingPage } from '../shell/missing-page.tsx';
import { rootRoute } from './root-route.ts';
import { destinationRoutes } from './routes/destinations.ts';
import { moneyRoutes } from './routes/money.ts';
import { syncRoutes } from './routes/syncs.ts';
import { welcomeRoutes } from './routes/welcome.ts';
import { parseSearch, stringifySearch } from './search-text.ts';

export const router = createRouter({
  // Each page but home is loaded when somebody first goes there.
  routeTree: rootRoute.addChildren([
    ...moneyRoutes,
    ...connectionRoutes,
    ...welcomeRoutes,
    ...syncRoutes,
    ...destinationRoutes,
    ...sortingRoutes,
    ...developerRoutes,
  ]),
  basepath: appUrl('').pathname,
  defaultPreload: 'intent',
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
