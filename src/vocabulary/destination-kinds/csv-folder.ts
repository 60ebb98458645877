import { NOT_MAPPED } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** CSV files on the disk of the installation: rows become lines of a file for each account and month. */
export const CSV_FOLDER: DestinationKind = {
  connects: 'direct',
  secret: null,
  console: null,
  holds: ['transactions', 'trades'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: true,
  target: {
    keys: ['folder'],
    resources: { folder: null },
    steps: { outer: { kind: 'folder', key: 'folder' }, inner: null },
    makes: { kind: 'folder', parent: 'none' },
    hasAddress: false,
  },
  mapping: NOT_MAPPED,
  mapsCategories: false,
  demoRows: null,
  texts: {
    name: 'CSV files',
    recipient: 'a folder of CSV files',
    target: 'A folder of CSV files',
    for: 'CSV files on the machine that runs Tributary, one for each account and month.',
    needs: 'The operator sets the folder.',
    sends: 'One line for each transaction or trade: date, amount, description, category, account name.',
    asks: 'To create and change files in a folder of its own.',
    mayDo: 'Nothing: it needs no link',
    stays: 'The files stay in their folder.',
    ends: 'end nothing: the files stay',
    makes: 'Tributary makes it in your folder.',
    balances: null,
    guide: 'destination-services#csv-files',
  },
};
