import { counted, numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

const transactions = (count: number) => counted(count, 'transaction', 'transactions');

export const TRANSACTIONS = translated('TRANSACTIONS', {
  title: 'Transactions',
  tabs: 'Views of transactions',
  recurring: 'Recurring',
  merchants: 'Merchants',
  filters: 'Filters',
  account: 'Account',
  everyAccount: 'All accounts',
  everyAccountOf: (bank: string) => `All of ${bank}`,
  from: 'From',
  to: 'To',
  search: 'Search',
  kind: 'Show',
  kinds: {
    all: 'All',
    in: 'Money in',
    out: 'Money out',
    spending: 'Spending and refunds',
    pending: 'Pending',
  },
  category: 'Category',
  everyCategory: 'All categories',
  noCategory: 'No category',
  wholeGroup: (name: string) => `All of ${name}`,
  uncategorised: 'No category, by the bank neither',
  ofBank: (code: string) => `${code}, by the bank alone`,
  least: 'At least',
  most: 'At most',
  noAmount: (example: string) => `Enter an amount such as ${example}.`,
  sort: 'Sort by',
  sorts: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    largest: 'Largest amount',
    smallest: 'Smallest amount',
  },
  clear: 'Clear filters',
  moreFilters: 'More filters',
  fewerFilters: 'Fewer filters',
  pending: 'Pending',
  pendingRows: (count: number) => `${numberText(count)} pending`,
  showPending: 'Show',
  hidePending: 'Hide',
  pendingAside: 'May change or vanish before they post',
  noDate: 'Without a date',
  total: (amounts: string) => `Total: ${amounts}`,
  amountsIn: (currency: string) => `Amounts in ${currency}`,
  rows: transactions,
  sortedSoFar: 'Sorted among those. Read the whole period to sort all of it.',
  readWhole: 'Read the whole period',
  reading: (count: number) => `Reading… ${transactions(count)}`,
  loading: 'Loading older transactions…',
  end: 'No older transactions in this period',
  none: 'No transactions in this period',
  noneText: 'Choose earlier days, or another account.',
  unmatched: 'No transaction matches',
  searched: (from: string, to: string) => `Searched from ${from} to ${to}.`,
  unmatchedText: 'Change the search or the filters to see more.',
  noAccount: 'No bank account is linked yet',
  noAccountText:
    'Link a bank to see its transactions. They are read from the bank when you look, and not stored.',
  moreFailed: 'Older transactions could not be loaded',
  bankFailed: (bank: string) => `${bank} could not be read, so its transactions are missing here`,
});

export const UNLINKED_ACCOUNT = translated('UNLINKED_ACCOUNT', {
  choice: 'No longer linked',
  title: 'This account is no longer linked',
  text: 'It was unlinked, or linked again as a new account. Choose another one, or show all of them.',
  showAll: 'Show all accounts',
});

export const TRANSACTION = translated('TRANSACTION', {
  account: 'Account',
  bank: 'Bank',
  status: 'Status',
  statuses: { posted: 'Posted', pending: 'Pending' },
  date: 'Date',
  posted: 'Posted on',
  valueDate: 'Value date',
  description: 'Description',
  more: 'More from the bank',
  reference: 'Reference',
  merchant: 'Merchant',
  merchantCode: 'Merchant category code',
  category: 'Category',
  none: 'None',
  bankCategory: 'Category at the bank',
  noCategory: 'No category',
  idOf: (id: string) => `Transaction ID: ${id}`,
  change: 'Change category',
});

export const SELECTION = translated('SELECTION', {
  label: 'Selected transactions',
  start: 'Select',
  stop: 'Done',
  one: (name: string) => `Select ${name}`,
  chosen: (count: number) => `${numberText(count)} selected`,
  all: (count: number, complete: boolean) =>
    complete ? `Select all ${numberText(count)}` : `Select all ${numberText(count)} so far`,
  clear: 'Clear selection',
});

export const LISTED = translated('LISTED', {
  narrowed: (found: string, read: string) => `${found} of ${read}`,
  soFar: (shown: string) => `${shown} read so far`,
});

interface Listed {
  readonly found: number;
  /** Rows that have been read; `found` are those of them that the filters leave. */
  readonly read: number;
  readonly narrowed: boolean;
  readonly complete: boolean;
}

/** How many rows a list shows, of how many that were read. @param counted a number with what it counts */
export function listedText(
  { found, read, narrowed, complete }: Listed,
  counted: (count: number) => string,
): string {
  const shown = narrowed ? LISTED.narrowed(numberText(found), counted(read)) : counted(read);
  return complete ? shown : LISTED.soFar(shown);
}

export const EXPORTS = translated('EXPORTS', {
  action: 'Export',
  title: 'Export transactions',
  everything: (days: string) =>
    `Transactions of ${days}, also those not read yet. The bank is asked for them now.`,
  filtered: (count: number) => `The ${transactions(count)} that match your filters.`,
  filteredSoFar: (count: number) =>
    `The ${transactions(count)} found so far match your filters. The rest of the period is read first.`,
  days: (from: string, to: string) => `${from} to ${to}`,
  format: 'Format',
  formats: { csv: 'CSV', jsonl: 'JSON lines', ofx: 'OFX', ofx1: 'OFX 1.02', qif: 'QIF' },
  hints: {
    csv: 'For spreadsheets. A text that a spreadsheet would run as a formula gets an apostrophe in front.',
    jsonl: 'For programs: each line is a transaction as the API shows it.',
    ofx: 'For accounting software. Posted transactions only.',
    ofx1: 'For accounting software that reads no newer OFX.',
    qif: 'For software that reads no OFX. Importing a period twice doubles it.',
  },
  statementFiltered: 'This format holds whole statements. Clear the filters to export one.',
  save: 'Save file',
  failed: 'The file could not be made',
  done: 'File saved',
  doneText: (count: number, file: string) => `${transactions(count)} in ${file}.`,
  bankCategory: 'Bank Category',
  reference: 'Reference',
  missingBanks: (names: readonly string[]) => `Without ${names.join(', ')}, which could not be read.`,
});
