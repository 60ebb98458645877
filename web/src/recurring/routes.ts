import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';

export const recurringRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.recurring,
    component: laterPage(() => import('./recurring-page.tsx'), 'RecurringPage'),
  }),
] as const;
