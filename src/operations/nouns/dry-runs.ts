import type { Static } from 'typebox';
import type { dryRunSchema } from '../schemas/dry-runs.ts';
import { exampleId } from './example-values.ts';
import type { OperationWords, ResourceWords } from './noun.ts';
import { transactionExample } from './transactions.ts';

const row: Static<typeof dryRunSchema>['data'][number] = {
  object: 'dry_run_row',
  action: 'add',
  account: exampleId('account'),
  id: transactionExample.id,
  transaction: transactionExample,
  trade: null,
  holding: null,
  memo: null,
  tags: ['coffee'],
  rules: [exampleId('rule')],
  replaces: null,
};

const dryRun: Static<typeof dryRunSchema> = {
  object: 'dry_run',
  sync: exampleId('sync'),
  accounts: [
    {
      account: exampleId('account'),
      failure: null,
      added: 1,
      updated: 0,
      removed: 0,
      skipped_by_rules: 0,
      unchanged: 212,
    },
  ],
  data: [row],
  truncated: false,
  livemode: true,
};

/** Resources of dry runs, by their schema's name. */
export const dryRunWords: Readonly<Record<string, ResourceWords>> = {
  dry_run: {
    description: 'What the next run of a sync would do, compared with what was delivered.',
    fields: {
      accounts: 'Exact counts of every account, in the order of the sync.',
      data: 'The first rows, account by account; unchanged ones are not listed.',
      truncated: 'Whether there are more rows than those in data.',
    },
    example: dryRun,
  },
  dry_run_row: {
    description: 'One row that the next run would deliver, remove, or skip because of a rule.',
    fields: {
      action: 'A run counts update and remove as updated.',
      id: 'The id of the row.',
      transaction: 'As it would be delivered; with skip, as the bank shows it; with remove, null.',
      trade: 'The same for a sync of trades.',
      holding: 'The same for a sync of holdings.',
      rules: 'The rules that acted on the row, in their order.',
      replaces: 'The id under which the destination shows the row now, where that is another.',
    },
    example: row,
  },
};

export const dryRunOperationWords: Readonly<Record<string, OperationWords>> = {
  dry_run_sync: {
    description:
      'Reads what the next run would read, passes it through categories and rules, and compares it with what was delivered. Writes nothing, calls no destination and starts no run. An account that cannot be read has a `failure`.',
  },
};
