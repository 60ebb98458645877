import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { welcomeSearch } from '../searches/welcome.ts';

export const welcomeRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.welcome,
    validateSearch: welcomeSearch,
    component: laterPage(() => import('../../home/welcome-page.tsx'), 'WelcomePage'),
  }),
] as const;
