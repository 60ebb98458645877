import { counted, numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const WELCOME = translated('WELCOME', {
  tour: {
    title: 'Take the tour',
    intro:
      'This installation runs with a sandbox: simulated banks and a simulated spreadsheet, no account anywhere. In four steps you see the whole way, from a bank to rows and charts that you can work with.',
  },
  guide: {
    title: 'Get started',
    intro: 'Three steps lead from your bank to rows in the place where you work with them.',
  },
  leave: 'Skip to home',
  done: 'Done',
  linked: (bank: string, accounts: number) => `${bank}, ${counted(accounts, 'account', 'accounts')}`,
  listing: (bank: string) => `${bank} is linked. Its accounts are being listed…`,
  copies: (sync: string) => `The sync “${sync}” now copies new transactions automatically.`,
  sandboxBank: {
    title: 'Link a sandbox bank',
    text: 'You see who receives what, then log in at the simulated bank as one of its made-up customers, and come back here.',
    action: (bank: string) => `Link ${bank}`,
    other: 'Choose another bank',
  },
  bank: {
    title: 'Link a bank',
    text: 'Before anything is shared, you see who receives it and what, and you can end it at any time.',
    action: 'Link a bank',
    failed: 'The bank cannot be opened now',
  },
  spreadsheet: {
    title: 'Copy its transactions to a spreadsheet',
    text: 'Connect the simulated Google Sheets, and come back here. No Google account is needed.',
    connect: 'Connect sandbox spreadsheets',
    connectFailed: 'The spreadsheets cannot be connected now',
    connected:
      'Google Sheets is connected. Next, Tributary makes a spreadsheet there and copies the transactions.',
    copy: 'Make the spreadsheet and copy',
    copyFailed: 'The transactions are not being copied',
    name: 'Tributary transactions',
    syncName: (bank: string) => `${bank} to a spreadsheet`,
  },
  rows: {
    title: 'Open the rows',
    text: 'As soon as the first run is done, the spreadsheet opens from here.',
    waiting: 'The first run is starting…',
    reading: (read: number, added: number) =>
      `${counted(read, 'row', 'rows')} read, ${numberText(added)} copied so far…`,
    copied: (added: number) => `${counted(added, 'row', 'rows')} copied.`,
    failed: 'The run did not succeed.',
    again: 'Run again',
    open: 'Open the spreadsheet',
  },
  destination: {
    title: 'Add a destination',
    text: 'A spreadsheet, a database, a budgeting app or a program of your own: wherever you work with your transactions.',
    action: 'Add a destination',
  },
  sync: {
    title: 'Create a sync',
    text: 'It copies the accounts that you choose to the destination, now and then on a schedule.',
    action: 'Create a sync',
  },
  charts: {
    title: 'See where the money goes',
    text: 'Home shows the same accounts and transactions as charts: what there is, and what was spent on what.',
    action: 'See balances and spending',
  },
  notConnected: {
    failed: 'The spreadsheets were not connected',
    unknown: 'Nothing was allowed there. You can start again at any time.',
  },
  finished: 'That was the whole way. Balances, spending and the state of every sync are on the home page.',
  home: 'Go to Home',
});
