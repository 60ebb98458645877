import { after } from 'node:test';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { closeServer } from './postgres/scene.ts';
import { ACTUAL } from './suite/actual-member.ts';
import { AIRTABLE } from './suite/airtable-member.ts';
import { CSV_FOLDER } from './suite/csv-folder-member.ts';
import { describeJointAccounts } from './suite/joint-accounts.ts';
import { NOTION } from './suite/notion-member.ts';
import { POSTGRES } from './suite/postgres-member.ts';
import { SHEETS } from './suite/sheets-member.ts';
import { WEBHOOK } from './suite/webhook-member.ts';
import { YNAB } from './suite/ynab-member.ts';

after(closeDatabase);
after(closeServer);

for (const member of [SHEETS, NOTION, AIRTABLE, YNAB, POSTGRES, ACTUAL, CSV_FOLDER, WEBHOOK])
  describeJointAccounts(member);
