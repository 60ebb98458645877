import { counted } from '../format/numbers.ts';

const transactions = (count: number) => counted(count, 'transaction', 'transactions');

export const EXPORTS = {
  action: 'Export',
  title: 'Export transactions',
  everything: (days: string) =>
    `All transactions of ${days}, also those not read yet. The bank is asked for them now.`,
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
} as const;
