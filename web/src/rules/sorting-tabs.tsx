import { Tabs } from '../parts/tabs.tsx';
import { PATHS } from '../routing/paths.ts';
import { CATEGORIES } from '../text/categories.ts';

const TABS = [
  { to: PATHS.categories, name: CATEGORIES.title },
  { to: PATHS.rulesets, name: CATEGORIES.rules },
];

/** Between categories and rules. */
export function SortingTabs() {
  return <Tabs label={CATEGORIES.tabs} tabs={TABS} />;
}
