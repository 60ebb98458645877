import { ACTUAL_SIMULATOR } from '../../sandbox/actual/party.ts';
import { AIRTABLE_SIMULATOR } from '../../sandbox/airtable/party.ts';
import { AU_BANKING_SIMULATOR } from '../../sandbox/au-banking/party.ts';
import { BROKERAGE_SIMULATOR } from '../../sandbox/brokerage/party.ts';
import { NOTION_SIMULATOR } from '../../sandbox/notion/party.ts';
import { NZ_BANKING_SIMULATOR } from '../../sandbox/nz-banking/party.ts';
import { POSTGRES_SIMULATOR } from '../../sandbox/postgres/party.ts';
import { SHEETS_SIMULATOR } from '../../sandbox/sheets/party.ts';
import { UP_BANK_SIMULATOR } from '../../sandbox/up-bank/party.ts';
import { YNAB_SIMULATOR } from '../../sandbox/ynab/party.ts';
import { ACTUAL } from '../connectors/destinations/actual/party.ts';
import { AIRTABLE } from '../connectors/destinations/airtable/party.ts';
import { NOTION } from '../connectors/destinations/notion/party.ts';
import { POSTGRES } from '../connectors/destinations/postgres/party.ts';
import { SHEETS } from '../connectors/destinations/sheets/party.ts';
import { WEBHOOK } from '../connectors/destinations/webhook/party.ts';
import { YNAB } from '../connectors/destinations/ynab/party.ts';
import { AU_BANKING } from '../connectors/providers/au-banking/party.ts';
import { BROKERAGE } from '../connectors/providers/brokerage/party.ts';
import { NZ_BANKING } from '../connectors/providers/nz-banking/party.ts';
import { UP_BANK } from '../connectors/providers/up-bank/party.ts';
import type { Party } from './party.ts';

/**
 * Every outside party: providers data is read from, and destinations it is copied to. Configuration, `doctor`, `link`,
 * `demo`, the sandbox and the service itself read this table, so adding a party is its folder and a line here.
 */
export const PARTIES: readonly Party[] = [
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
