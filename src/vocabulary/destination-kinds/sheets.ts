import type { DestinationKind } from './kind.ts';

/** Google Sheets: rows become rows of a tab. */
export const SHEETS: DestinationKind = {
  connects: 'link',
  secret: null,
  console: { page: 'consoles/google', title: 'Google Cloud console' },
  holds: ['transactions', 'holdings', 'trades'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: true,
  target: {
    keys: ['spreadsheet_id', 'sheet_id', 'spreadsheet_name', 'sheet_name'],
    resources: { spreadsheet: null, sheet: { parent: 'spreadsheet', targetKey: 'spreadsheet_id' } },
    steps: {
      outer: { kind: 'spreadsheet', key: 'spreadsheet_id' },
      inner: { kind: 'sheet', key: 'sheet_id' },
      names: ['spreadsheet_name', 'sheet_name'],
    },
    makes: { kind: 'spreadsheet', parent: 'none' },
    hasAddress: true,
  },
  mapping: {
    modes: ['bulk', 'per_account'],
    entry: {
      modes: ['per_account'],
      required: ['sheet_id', 'sheet_name'],
      optional: [],
      needed: 'when_added',
    },
  },
  mapsCategories: false,
  demoRows: null,
  texts: {
    name: 'Google Sheets',
    recipient: 'Google Sheets',
    target: 'A spreadsheet',
    for: 'A spreadsheet you can sort, chart and share. Also for holdings and trades, and for Tiller’s sheets.',
    needs: 'A Google account. You sign in at Google; Tributary never sees your password.',
    sends:
      'One row for each transaction: date, amount, description, category, account name. Balances too, if you ask for them.',
    asks: 'To see and edit only spreadsheets that it creates or that you open with it. No other file of your Drive.',
    mayDo: 'Create spreadsheets, and read and edit those you choose',
    stays: 'The spreadsheet and its rows stay in your Drive. The permission is withdrawn at Google.',
    ends: 'withdraw Tributary’s permission at Google',
    makes: 'Tributary makes it in your Google Drive, with the columns it needs.',
    balances: 'In a tab of their own, with one row for each account.',
    guide: 'destination-services#google-sheets',
  },
};
