import { NOT_MAPPED } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** Notion: rows become pages of a database. */
export const NOTION: DestinationKind = {
  connects: 'link',
  secret: null,
  console: { page: 'consoles/notion', title: 'Notion developer portal' },
  holds: ['transactions'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: true,
  target: {
    keys: ['database_id'],
    resources: { database: null },
    steps: { outer: { kind: 'database', key: 'database_id' }, inner: null },
    makes: { kind: 'database', parent: 'none' },
    hasAddress: true,
  },
  mapping: NOT_MAPPED,
  mapsCategories: false,
  demoRows: 300,
  texts: {
    name: 'Notion',
    recipient: 'Notion',
    target: 'A Notion database',
    for: 'A Notion database, one page for each transaction, to link with your other notes.',
    needs: 'A Notion workspace. On Notion’s page, tick the page that has the database, or will have it.',
    sends: 'One page for each transaction: date, amount, description, category, account name.',
    asks: 'To read and edit the pages you tick, and everything on them.',
    mayDo: 'Read and edit the pages you share with it',
    stays: 'The database and its pages stay. The permission is withdrawn at Notion.',
    ends: 'withdraw Tributary’s permission at Notion',
    makes: 'Tributary makes it on the oldest page that you shared, with the properties it needs.',
    balances: null,
    guide: 'destination-services#notion',
  },
};
