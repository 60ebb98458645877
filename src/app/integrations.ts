import { ACTUAL_SIMULATOR } from '../../sandbox/actual/integration.ts';
import { AIRTABLE_SIMULATOR } from '../../sandbox/airtable/integration.ts';
import { AU_BANKING_SIMULATOR } from '../../sandbox/au-banking/integration.ts';
import { BROKERAGE_SIMULATOR } from '../../sandbox/brokerage/integration.ts';
import { NOTION_SIMULATOR } from '../../sandbox/notion/integration.ts';
import { NZ_BANKING_SIMULATOR } from '../../sandbox/nz-banking/integration.ts';
import { POSTGRES_SIMULATOR } from '../../sandbox/postgres/integration.ts';
import { SHEETS_SIMULATOR } from '../../sandbox/sheets/integration.ts';
import { UP_BANK_SIMULATOR } from '../../sandbox/up-bank/integration.ts';
import { YNAB_SIMULATOR } from '../../sandbox/ynab/integration.ts';
import { ACTUAL } from '../connectors/destinations/actual/integration.ts';
import { AIRTABLE } from '../connectors/destinations/airtable/integration.ts';
import { NOTION } from '../connectors/destinations/notion/integration.ts';
import { POSTGRES } from '../connectors/destinations/postgres/integration.ts';
import { SHEETS } from '../connectors/destinations/sheets/integration.ts';
import { WEBHOOK } from '../connectors/destinations/webhook/integration.ts';
import { YNAB } from '../connectors/destinations/ynab/integration.ts';
import { AU_BANKING } from '../connectors/providers/au-banking/integration.ts';
import { BROKERAGE } from '../connectors/providers/brokerage/integration.ts';
import { NZ_BANKING } from '../connectors/providers/nz-banking/integration.ts';
import { UP_BANK } from '../connectors/providers/up-bank/integration.ts';
import type { Integration } from './integration.ts';

/**
 * Every integration: providers data is read from, and destinations it is copied to. Configuration, `doctor`, `link`,
 * `demo`, the sandbox and the service itself read this table, so adding an integration is its folder and a line here.
 */
export const INTEGRATIONS: readonly Integration[] = [
  { row: AU_BANKING, simulator: AU_BANKING_SIMULATOR },
  { row: NZ_BANKING, simulator: NZ_BANKING_SIMULATOR },
  { row: BROKERAGE, simulator: BROKERAGE_SIMULATOR },
  { row: UP_BANK, simulator: UP_BANK_SIMULATOR },
  { row: SHEETS, simulator: SHEETS_SIMULATOR },
  { row: NOTION, simulator: NOTION_SIMULATOR },
  { row: AIRTABLE, simulator: AIRTABLE_SIMULATOR },
  { row: YNAB, simulator: YNAB_SIMULATOR },
  { row: ACTUAL, simulator: ACTUAL_SIMULATOR },
  { row: WEBHOOK, simulator: null },
  { row: POSTGRES, simulator: POSTGRES_SIMULATOR },
];
