import { NOT_MAPPED } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** Airtable: rows become records of a table. */
export const AIRTABLE: DestinationKind = {
  connects: 'link',
  secret: null,
  console: { page: 'consoles/airtable', title: 'Airtable builder hub' },
  holds: ['transactions'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: true,
  target: {
    keys: ['base_id', 'table_id'],
    resources: { base: null, table: { parent: 'base', targetKey: 'base_id' } },
    steps: { outer: { kind: 'base', key: 'base_id' }, inner: { kind: 'table', key: 'table_id' } },
    makes: { kind: 'table', parent: 'required' },
    hasAddress: true,
  },
  mapping: NOT_MAPPED,
  mapsCategories: false,
  demoRows: null,
  texts: {
    name: 'Airtable',
    recipient: 'Airtable',
    target: 'An Airtable table',
    for: 'A table in Airtable, to group, filter and build on.',
    needs:
      'A base of yours, in which you may make tables. A free plan allows 1,000 calls a month, which a first sync of 10,000 rows uses up.',
    sends: 'One record for each transaction: date, amount, description, category, account name.',
    asks: 'To read and edit records and fields in the bases you tick.',
    mayDo: 'Read and edit records and fields in the bases you choose',
    stays:
      'The table and its records stay. The permission stays too: remove it in the settings of your Airtable account.',
    ends: 'make Tributary forget its permission. Airtable has no way to end it from here: remove it in the settings of your Airtable account',
    makes: 'Tributary makes it in a base of yours, with the fields it needs.',
    balances: 'In a table of their own, with one record for each account.',
    guide: 'destination-services#airtable',
  },
};
