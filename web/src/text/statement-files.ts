import { counted, numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const STATEMENT_FILES = translated('STATEMENT_FILES', {
  unlisted: 'Your bank is not here?',
  unlistedText: 'Upload its statements as files instead.',
  kept: 'These files are stored',
  keptText:
    'Tributary stores no financial data, with this one exception: a statement file, and the rows that you take from it, are stored encrypted, because there is no bank that could be asked for them again. A file is deleted 30 days after every sync of its account has delivered it, or after as many days as you choose; and at once, with its rows, when you delete it.',
  guide: 'How statement files work',
  drop: 'Drop statement files here',
  formats: (most: string) => `OFX, QFX, QIF, CSV, CAMT.053 or MT940, up to ${most} each`,
  choose: 'Choose files',
  goInto: (account: string) => `The files belong to ${account}.`,
  uploads: 'Uploads',
  waiting: 'Waits for the file before it',
  sending: 'Uploading…',
  tooLarge: (size: string, most: string) => `It has ${size}; a file may have up to ${most}.`,
  empty: 'It is empty.',
  remove: (file: string) => `Remove ${file} from this list`,
  list: 'Uploaded files',
  none: 'No statement file yet',
  noneText: 'After you upload a file, you see what is in it before anything is added to an account.',
  status: { uploaded: 'Not taken yet', taken: 'Taken', delivered: 'Delivered', undone: 'Taken out' },
  uploaded: (ago: string) => `Uploaded ${ago}`,
  rowsIn: (rows: number, account: string) => `${counted(rows, 'row', 'rows')} in ${account}`,
  liveRows: (rows: number) => `${counted(rows, 'row', 'rows')} left out, which the bank’s feed has`,
  deletedOn: (day: string) => `Deleted on ${day}`,
  deletedAfter: (days: number) =>
    days === 0 ? 'Deleted once delivered' : `Deleted ${counted(days, 'day', 'days')} after delivery`,
  keptForGood: 'Kept until you delete it',
  review: 'Review',
  actionsOf: (file: string) => `Actions for ${file}`,
  undo: 'Take the rows out again',
  download: 'Download',
  delete: 'Delete',
  failed: {
    upload: (file: string) => `${file} was not uploaded`,
    take: (file: string) => `${file} was not taken`,
    undo: (file: string) => `The rows of ${file} were not taken out`,
    delete: (file: string) => `${file} was not deleted`,
    download: (file: string) => `${file} was not downloaded`,
    save: 'The change was not saved',
    preview: 'What is in the file cannot be shown',
  },
  done: {
    taken: (file: string) => `Taken: ${file}`,
    takenText: (rows: number) =>
      `${counted(rows, 'row is', 'rows are')} shown now. The syncs of the account start.`,
    account: 'Show the account',
  },
  deleting: {
    title: (file: string) => `Delete ${file}?`,
    text: 'The file is deleted at once. This cannot be undone.',
    rows: (rows: number) =>
      `${counted(rows, 'row that was', 'rows that were')} taken from it will no longer be shown, unless another file has the same. Syncs then take them out of your destinations as well.`,
  },
});

/** Looking at a file before its rows are taken, and at one whose rows were. */
export const STATEMENT_FILE = translated('STATEMENT_FILE', {
  plan: 'What will happen',
  account: 'Belongs to',
  newAccount: 'A new account',
  byNumber: 'The account with the number in the file',
  several: (accounts: number) =>
    `The file has ${counted(accounts, 'account', 'accounts')}. Each one goes where its number belongs.`,
  retention: 'Delete the file',
  retentions: {
    atOnce: 'As soon as it is delivered',
    after: (days: number) => `${counted(days, 'day', 'days')} after it is delivered`,
    never: 'Only when I delete it',
  },
  reading: 'Reading the file…',
  adds: (rows: number) =>
    rows === 0 ? 'Nothing in this file is new.' : `${counted(rows, 'new row', 'new rows')} will be added.`,
  takeRows: 'Take the rows',
  take: (rows: number) => (rows === 0 ? 'Take it anyway' : `Take ${counted(rows, 'new row', 'new rows')}`),
  into: (account: string) => `Goes into ${account}`,
  alike: (account: string) =>
    `Most of these rows are in ${account} already. If it is the same account, choose it above: otherwise they are there twice.`,
  makes: 'Makes a new account',
  makesBeside: (account: string) => `Makes a new account beside ${account}, for what the bank’s feed lacks`,
  compared: (account: string) =>
    `${account} is linked live as well: rows that the bank’s feed has are left out.`,
  days: (from: string, to: string) => `${from} to ${to}`,
  counts: {
    new: 'New',
    known: 'In an earlier file',
    live: 'In the bank’s feed',
    pending: 'Not posted yet, left out',
    unreadable: 'Cannot be read',
  },
  rows: 'Rows of the file',
  firstRows: (shown: number, all: number) => `The first ${numberText(shown)} of ${numberText(all)} rows`,
  noRows: 'There is no row that can be read.',
  date: 'Date',
  description: 'Description',
  amount: 'Amount',
  outcome: 'What happens',
  outcomes: {
    new: 'Is added',
    known: 'Known from an earlier file',
    live: 'Left out: the bank’s feed has it',
  },
  unreadable: (rows: number) => `${counted(rows, 'row', 'rows')} cannot be read`,
  unreadableText: 'They are left out. If there should not be any, correct how the file is read.',
  unreadableRow: (row: number, what: string) => `Row ${numberText(row)}: ${what}`,
  unreadableFields: {
    date: 'no date that can be read',
    amount: 'no amount that can be read',
    row: 'neither a date nor an amount',
  },
  more: (rows: number) => `and ${numberText(rows)} more`,
  taken: 'What was taken',
  takenNone: 'Nothing: another file or the bank has every row.',
  takenAt: 'Taken',
  delivered: 'Delivered',
  notDelivered: 'Not yet by every sync of its account',
});

/** How the columns of a CSV are read. */
export const CSV_LAYOUT = translated('CSV_LAYOUT', {
  title: 'How the columns are read',
  hint: 'Guessed from the whole file. Correct what is wrong: the rows below follow, and the next file of the same account is read in the same way.',
  unguessed:
    'The columns of this file cannot be guessed. Choose above them what they hold: a date, a description, and an amount. The next file of the same account is read in the same way.',
  doubts: 'The file does not prove all of this. Please check:',
  doubt: {
    columns: 'what each column holds',
    date_order: 'whether the day or the month comes first',
    decimal_sign: 'which sign is before the decimals',
    direction: 'whether positive amounts came in or went out',
  },
  delimiter: 'Between columns',
  delimiters: { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', bar: 'Vertical bar' },
  skip: 'Lines to skip',
  header: 'The first line names the columns',
  dateOrder: 'Order of dates',
  dateOrders: { ymd: 'Year, month, day', dmy: 'Day, month, year', mdy: 'Month, day, year' },
  decimalSign: 'Decimal sign',
  decimalSigns: { point: 'Point (1234.50)', comma: 'Comma (1234,50)' },
  positive: 'Positive amounts',
  positives: { in: 'Came in', out: 'Went out' },
  firstRows: 'First rows of the file',
  column: (at: number) => `Column ${numberText(at)}`,
  holds: (column: string) => `What ${column} holds`,
  notRead: 'Not read',
  roles: {
    date: 'Date',
    description: 'Description',
    amount: 'Amount',
    debit: 'Money out',
    credit: 'Money in',
    direction: 'In or out',
    counterparty: 'Other party',
    value_date: 'Value date',
    reference: 'Reference',
    currency: 'Currency',
    category: 'Category',
    balance: 'Balance',
    account: 'Account',
  },
  needs: (what: string) => `Still to be chosen: ${what}.`,
  need: { date: 'the column of dates', description: 'a description', amount: 'the amounts' },
  guess: 'Use the guess again',
});

/** Of an account whose rows come from files. */
export const ACCOUNT_FILES = translated('ACCOUNT_FILES', {
  title: 'Statement files',
  text: 'The rows of this account come from files that you upload. Files have no balance.',
  add: 'Add a file',
  all: 'All files',
});
