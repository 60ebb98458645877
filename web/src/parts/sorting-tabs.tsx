import { PATHS } from '../routing/paths.ts';
import { CATEGORIES } from '../text/categories.ts';
import { Tabs } from './tabs.tsx';

const TABS = [
  { to: PATHS.categories, name: CATEGORIES.title },
  { to: PATHS.rulesets, name: CATEGORIES.rules },
];

/** Between categories and rules. */
export function SortingTabs() {
  return <Tabs label={CATEGORIES.tabs} tabs={TABS} />;
}
