import { BROKERAGE_SCENES } from './scenes/brokerage.ts';
import { CATEGORIES_SCENES } from './scenes/categories.ts';
import { CONNECTIONS_SCENES } from './scenes/connections.ts';
import { DESTINATIONS_SCENES } from './scenes/destinations.ts';
import { DEVELOPER_SCENES } from './scenes/developer.ts';
import { FIRST_RUN_SCENES } from './scenes/first-run.ts';
import { HOME_SCENES } from './scenes/home.ts';
import { HOSTED_SCENES } from './scenes/hosted.ts';
import { LINKS_SCENES } from './scenes/links.ts';
import { PALETTE_SCENES } from './scenes/palette.ts';
import { RECURRING_SCENES } from './scenes/recurring.ts';
import { RULES_SCENES } from './scenes/rules.ts';
import { SANDBOX_ROWS_SCENES } from './scenes/sandbox-rows.ts';
import type { Scenes } from './scenes/scene.ts';
import { SETTINGS_SCENES } from './scenes/settings.ts';
import { STATEMENT_FILES_SCENES } from './scenes/statement-files.ts';
import { SYNCS_SCENES } from './scenes/syncs.ts';
import { TRANSACTIONS_SCENES } from './scenes/transactions.ts';
import { VENDORS_SCENES } from './scenes/vendors.ts';
import { WELCOME_SCENES } from './scenes/welcome.ts';

/** Every page of the application, and every state of it that looks different. */
export const SCENES: Scenes = {
  ...FIRST_RUN_SCENES,
  ...HOME_SCENES,
  ...CONNECTIONS_SCENES,
  ...STATEMENT_FILES_SCENES,
  ...TRANSACTIONS_SCENES,
  ...RECURRING_SCENES,
  ...CATEGORIES_SCENES,
  ...RULES_SCENES,
  ...BROKERAGE_SCENES,
  ...DEVELOPER_SCENES,
  ...DESTINATIONS_SCENES,
  ...WELCOME_SCENES,
  ...SETTINGS_SCENES,
  ...HOSTED_SCENES,
  ...LINKS_SCENES,
  ...VENDORS_SCENES,
  ...SANDBOX_ROWS_SCENES,
  ...SYNCS_SCENES,
  ...PALETTE_SCENES,
};

/** What people see one after another on their way through something, by the name of the way. */
export const SCENE_SETS: Readonly<Record<string, readonly string[]>> = {
  tour: [
    'first-run',
    'welcome',
    'link-bank',
    'vendor-bank',
    'vendor-bank-accounts',
    'welcome-linked',
    'link-destination',
    'vendor-google',
    'welcome-connected',
    'welcome-copied',
    'welcome-spreadsheet',
    'welcome-home',
  ],
};
