import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { rulesetSearch } from '../searches/ruleset.ts';

/** Pages that say how transactions are sorted and changed: categories and rules. */
export const sortingRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.categories,
    component: lazyRouteComponent(
      () => import('../../pages/categories/categories-page.tsx'),
      'CategoriesPage',
    ),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.rulesets,
    component: lazyRouteComponent(() => import('../../pages/rulesets/rulesets-page.tsx'), 'RulesetsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.ruleset,
    validateSearch: rulesetSearch,
    component: lazyRouteComponent(() => import('../../pages/ruleset/ruleset-page.tsx'), 'RulesetPage'),
  }),
] as const;
