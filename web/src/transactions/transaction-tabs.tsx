import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TRANSACTIONS } from '../text/transactions.ts';

const TABS = [
  { to: APP_PATHS.transactions, name: TRANSACTIONS.title },
  { to: APP_PATHS.recurring, name: TRANSACTIONS.recurring },
  { to: APP_PATHS.merchants, name: TRANSACTIONS.merchants },
];

/** Between transactions and what is found in them. */
export function TransactionTabs() {
  return <Tabs label={TRANSACTIONS.tabs} tabs={TABS} />;
}
