import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../later-page.tsx';
import { PATHS } from '../paths.ts';
import { underRoot } from '../root-route.ts';
import { rulesetSearch } from '../searches/ruleset.ts';

/** Pages that say how transactions are sorted and changed: categories and rules. */
export const sortingRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.categories,
    component: laterPage(() => import('../../pages/categories/categories-page.tsx'), 'CategoriesPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.rulesets,
    component: laterPage(() => import('../../pages/rulesets/rulesets-page.tsx'), 'RulesetsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: PATHS.ruleset,
    validateSearch: rulesetSearch,
    component: laterPage(() => import('../../pages/ruleset/ruleset-page.tsx'), 'RulesetPage'),
  }),
] as const;
