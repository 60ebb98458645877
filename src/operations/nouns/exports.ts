import type { OperationWords } from './noun.ts';

const sent = {
  format:
    'csv (the default), jsonl (one JSON object a line) or ofx (OFX 2.2: posted transactions, one statement for each account).',
  bom: 'csv: whether the file begins with a byte order mark; false when absent.',
  defuse_formulas:
    'csv: whether a cell that begins like a formula and is no number gets an apostrophe in front; true when absent.',
};

/** By operation id. */
export const syncExportWords: Readonly<Record<string, OperationWords>> = {
  export_sync: {
    description:
      'Reads the bank live and streams the rows as the sync delivers them: after categories and rules, from `options.data_from` on. An export that cannot be read to its end has its connection broken off.',
    sent,
  },
};

export const transactionExportWords: Readonly<Record<string, OperationWords>> = {
  export_transactions: {
    description:
      'Reads the bank live and streams the rows as the bank shows them, the last 30 days without dates. An export that cannot be read to its end has its connection broken off.',
    sent,
  },
};
