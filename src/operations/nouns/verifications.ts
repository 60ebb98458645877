import type { Static } from 'typebox';
import type { verificationSchema } from '../schemas/verifications.ts';
import { exampleId } from './example-values.ts';
import type { OperationWords, ResourceWords } from './noun.ts';
import { transactionExample } from './transactions.ts';

type Shown = Static<typeof verificationSchema>;

const problem: Shown['data'][number] = {
  object: 'verification_problem',
  kind: 'different',
  reason: 'edited_there',
  remedy: 'resync',
  account: exampleId('account'),
  id: transactionExample.id,
  date: '2026-11-02',
  where: 'Sheet1, row 12',
  refusal: null,
  fields: [{ name: 'Amount', expected: '-4.5', found: '-5.4' }],
};

const verification: Shown = {
  object: 'verification',
  sync: exampleId('sync'),
  compared_with: 'destination',
  accounts: [{ account: exampleId('account'), failure: null, rejected_by_last_run: 0 }],
  columns: [{ name: 'Merchant', where: 'Sheet1', problem: 'absent', remedy: 'run' }],
  counts: {
    bank: 212,
    destination: 212,
    alike: 211,
    skipped_by_rules: 0,
    in_doubt: 0,
    others: 0,
    not_compared: 0,
  },
  problems: { missing: 0, extra: 0, different: 1, doubled: 0 },
  data: [problem],
  truncated: false,
  livemode: true,
};

/** Resources of verifications, by their schema's name. */
export const verificationWords: Readonly<Record<string, ResourceWords>> = {
  verification: {
    description: 'What the destination of a sync shows, compared with what the bank has.',
    fields: {
      compared_with:
        'record: the destination cannot be read, so the bank was compared with what was delivered.',
      accounts:
        'The accounts of the sync; failure says why one could not be read to its end, and rejected_by_last_run how many of its rows the destination refused in the last run.',
      columns:
        'Columns that the sync shows and that the destination does not have, or not so that they hold the field: no row was compared in them.',
      counts:
        'destination and others are null where the destination was not read. others: rows there that belong to nothing that was compared. not_compared: rows beyond the limit of one verification.',
      problems: 'How many there are of each kind, listed or not.',
      data: 'The first problems.',
      truncated: 'Whether there are more problems than those in data.',
    },
    example: verification,
  },
  verification_problem: {
    description: 'One row that does not stand at the destination as it should.',
    fields: {
      reason: 'Why, as far as the record of deliveries proves it.',
      remedy: 'What removes it: the next run, a resync, or only a person.',
      id: 'The id of the row.',
      refusal: 'What of a row that is refused the destination cannot show; null where that is not known.',
      where: 'How a person finds the row at the destination; null where it is not there or was not read.',
      fields: 'What a row that differs shows and should show; texts end after 100 characters.',
    },
    example: problem,
  },
};

export const verificationOperationWords: Readonly<Record<string, OperationWords>> = {
  verify_sync: {
    description:
      'Reads the whole window of every account at the bank, and the destination where it can be read, and reports row by row what is missing, extra, different or there twice. Writes nothing and starts no run.',
  },
};
