import type { DestinationType } from '../../../src/vocabulary/destinations.ts';

interface TypeWords {
  /** In one line, for choosing. */
  readonly for: string;
  readonly needs: string;
  /** What of a person's data arrives there. */
  readonly sends: string;
  readonly asks: string;
  /** What is left once it is deleted here. */
  readonly stays: string;
}

const COPIED =
  'What is copied there follows the terms of that service. The Consumer Data Right no longer protects it.';

const TYPES: Readonly<Record<DestinationType, TypeWords>> = {
  sheets: {
    for: 'A spreadsheet you can sort, chart and share. Also for holdings and trades, and for Tiller’s sheets.',
    needs: 'A Google account. You sign in at Google; Tributary never sees your password.',
    sends:
      'One row for each transaction: date, amount, description, category, account name. Balances too, if you ask for them.',
    asks: 'To see and edit only spreadsheets that it creates or that you open with it. No other file of your Drive.',
    stays: 'The spreadsheet and its rows stay in your Drive. The permission is withdrawn at Google.',
  },
  notion: {
    for: 'A Notion database, one page for each transaction, to link with your other notes.',
    needs: 'A Notion workspace. On Notion’s page, tick the page that has the database, or will have it.',
    sends: 'One page for each transaction: date, amount, description, category, account name.',
    asks: 'To read and edit the pages you tick, and everything on them.',
    stays: 'The database and its pages stay. The permission is withdrawn at Notion.',
  },
  airtable: {
    for: 'A table in Airtable, to group, filter and build on.',
    needs:
      'A base of yours, in which you may make tables. A free plan allows 1,000 calls a month, which a first sync of 10,000 rows uses up.',
    sends: 'One record for each transaction: date, amount, description, category, account name.',
    asks: 'To read and edit records and fields in the bases you tick.',
    stays:
      'The table and its records stay. The permission stays too: remove it in the settings of your Airtable account.',
  },
  ynab: {
    for: 'Transactions in your YNAB plan, ready to approve.',
    needs: 'A YNAB subscription with a plan, and an account in it for each bank account.',
    sends: 'Date, payee, memo, amount and category of each transaction. Each arrives unapproved.',
    asks: 'To read your plans and add transactions to them.',
    stays:
      'The transactions stay in your plan. Tributary forgets the permission; to end it at YNAB, remove it in the settings of your YNAB account.',
  },
  webhook: {
    for: 'Signed JSON to a server of your own, for developers.',
    needs: 'An https address that answers POST requests and verifies their signature.',
    sends: 'Events with up to 500 rows each: all fields of a transaction or trade.',
    asks: 'Nothing: you send Tributary’s requests to your own server.',
    stays: 'What your server stored stays there. The signing secret ends.',
  },
  postgres: {
    for: 'A table in a database of your own, with exact amounts, for queries and dashboards.',
    needs:
      'Postgres 13 or newer that can be reached from the internet, and a database user for Tributary alone.',
    sends: 'One row for each transaction, holding or trade, with all standard columns.',
    asks: 'What you grant the database user: to make and fill tables in one schema.',
    stays:
      'Tables and rows stay. Drop the database user to end its access; the sealed secret is removed here.',
  },
  actual: {
    for: 'Transactions in a budget on your own Actual server.',
    needs:
      'The address of your sync server with its password, and an account in the budget for each bank account.',
    sends: 'Date, payee, notes, amount and category of each transaction.',
    asks: 'To read and change budgets on that server, as one more client.',
    stays: 'The transactions stay in your budget. The sealed password is removed here.',
  },
};

export const NEW_DESTINATION = {
  title: 'Add a destination',
  intro: 'Where should your transactions go? Nothing is copied before you set up a sync.',
  choices: 'Types of destination',
  titleOf: (type: string) => `Add ${type}`,
  types: TYPES,
  before: 'Before you continue',
  purpose: 'What it is for',
  needs: 'What you need',
  sends: 'What goes there',
  asks: 'What it may do there',
  stays: 'When you delete it',
  copied: COPIED,
  more: 'All details',
  other: 'Choose another type',
  continueTo: (vendor: string) => `Continue to ${vendor}`,
  continueText: (vendor: string) =>
    `You confirm on the next page, then sign in at ${vendor} and come back here.`,
  connect: 'Connect',
  connectFailed: (type: string) => `${type} was not connected`,
  webhook: {
    name: 'Name',
    namePlaceholder: 'Ledger service',
    address: 'Address',
    addressHint: 'Starts with https://. Addresses in private networks need the operator’s permission.',
    create: 'Create the webhook',
    missing: 'Fill this in.',
    created: (name: string) => `${name} is ready`,
    createdText: 'Events go there as soon as a sync writes to it.',
    open: 'Open the webhook',
  },
  secret: {
    title: 'Signing secret',
    once: 'Copy it now and keep it where your server reads it. It is not shown again.',
    verify:
      'Your server proves with it that a request is Tributary’s: compute HMAC-SHA256 of the id, the timestamp and the raw body, and compare.',
    how: 'How to verify, with examples',
    receivers: 'Receivers in PHP, Ruby and Go',
    rotate: 'Replace the secret',
    rotateTitle: 'Replace the signing secret?',
    rotateText: 'A new secret is made and shown once.',
    newTitle: 'The new signing secret',
    done: 'I have copied it',
    overlap:
      'For 24 hours, requests are signed with the old secret too, so your server can switch without refusing any.',
  },
  postgres: {
    prepare: 'Make a user for Tributary alone',
    prepareHint: 'Run this on your database, with a password of your own:',
    address: 'Connection address',
    addressHint:
      'postgres://user:password@host:5432/database. The connection is encrypted and the certificate is checked; write characters such as @ and # in the password as %40 and %23.',
    name: 'Name (optional)',
    stored: 'It is tried at once, stored sealed, and never shown again.',
  },
  actual: {
    server: 'Address of the sync server',
    serverHint: 'As in https://budget.example.org',
    serverInvalid: 'This is no address. It starts with https://',
    signIn: 'How do you sign in there?',
    withPassword: 'With a password',
    withToken: 'With a session token',
    withTokenHint: 'For servers that let nobody sign in with a password.',
    password: 'Password of the server',
    token: 'Session token',
    encryption: 'Encryption password (optional)',
    encryptionHint: 'Only for a budget that is encrypted end to end.',
  },
} as const;
