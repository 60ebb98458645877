import { createRoute } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { laterPage } from '../shell/later-page.tsx';
import { underRoot } from '../shell/root-route.tsx';
import type { Search } from '../shell/search.ts';

/** Pages that say how transactions are sorted and changed: categories and rules. */
export const ruleRoutes = [
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.categories,
    component: laterPage(() => import('./categories/categories-page.tsx'), 'CategoriesPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.rulesets,
    component: laterPage(() => import('./rulesets/rulesets-page.tsx'), 'RulesetsPage'),
  }),
  createRoute({
    getParentRoute: underRoot,
    path: APP_PATHS.ruleset,
    validateSearch: rulesetSearch,
    component: laterPage(() => import('./rulesets/ruleset-page.tsx'), 'RulesetPage'),
  }),
] as const;

/** Which rule of a ruleset is being edited: its id, or `new`. */
interface RulesetSearch {
  readonly rule?: string;
}

function rulesetSearch({ rule }: Search): RulesetSearch {
  return typeof rule === 'string' && rule !== '' ? { rule } : {};
}
