import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './accounts/routes.ts';
import { appUrl } from './api/app-url.ts';
import { bankRoutes } from './banks/routes.ts';
import { destinationRoutes } from './destinations/routes.ts';
import { developerRoutes } from './developer/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { investmentRoutes } from './investments/routes.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { recurringRoutes } from './recurring/routes.ts';
import { ruleRoutes } from './rules/routes.ts';
import { MissingPage, rootRoute } from './shell/root-route.tsx';
import { parseSearch, stringifySearch } from './shell/search.ts';
import { syncRoutes } from './syncs/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';

export const router = createRouter({
  // Each page but home is loaded on the first visit.
  routeTree: rootRoute.addChildren([
    ...homeRoutes,
    ...bankRoutes,
    ...accountRoutes,
    ...transactionRoutes,
    ...recurringRoutes,
    ...merchantRoutes,
    ...investmentRoutes,
    ...syncRoutes,
    ...destinationRoutes,
    ...ruleRoutes,
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
