import { BROKERAGE_SCENES } from './scenes/brokerage.ts';
import { CATEGORIES_SCENES } from './scenes/categories.ts';
import { CONNECTIONS_SCENES } from './scenes/connections.ts';
import { DESTINATIONS_SCENES } from './scenes/destinations.ts';
import { DEVELOPER_SCENES } from './scenes/developer.ts';
import { FIRST_RUN_SCENES } from './scenes/first-run.ts';
import { HOME_SCENES } from './scenes/home.ts';
import { HOSTED_SCENES } from './scenes/hosted.ts';
import { LINKS_SCENES } from './scenes/links.ts';
import { RULES_SCENES } from './scenes/rules.ts';
import { SANDBOX_ROWS_SCENES } from './scenes/sandbox-rows.ts';
import type { Scenes } from './scenes/scene.ts';
import { SETTINGS_SCENES } from './scenes/settings.ts';
import { SYNCS_SCENES } from './scenes/syncs.ts';
import { TRANSACTIONS_SCENES } from './scenes/transactions.ts';
import { VENDORS_SCENES } from './scenes/vendors.ts';
import { WELCOME_SCENES } from './scenes/welcome.ts';

/** Every page of the application, and every state of it that looks different. */
export const SCENES: Scenes = {
  ...FIRST_RUN_SCENES,
  ...HOME_SCENES,
  ...CONNECTIONS_SCENES,
  ...TRANSACTIONS_SCENES,
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
};
