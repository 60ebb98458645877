import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { Tabs } from '../parts/tabs.tsx';
import { CATEGORIES } from '../text/categories.ts';

const TABS = [
  { to: APP_PATHS.categories, name: CATEGORIES.title },
  { to: APP_PATHS.rulesets, name: CATEGORIES.rules },
];

/** Between categories and rules. */
export function SortingTabs() {
  return <Tabs label={CATEGORIES.tabs} tabs={TABS} />;
}
