import type { Static } from 'typebox';
import type { syncSchema } from '../schemas/syncs.ts';
import { categoryMappingOperationWords, categoryMappingWords } from './category-mappings.ts';
import { dryRunOperationWords, dryRunWords } from './dry-runs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import { syncExportWords } from './exports.ts';
import type { Noun } from './noun.ts';
import { queuedRunExample } from './sync-runs.ts';

const sync: Static<typeof syncSchema> = {
  id: exampleId('sync'),
  object: 'sync',
  name: 'Everyday to the ledger',
  type: 'transactions',
  enabled: true,
  status: 'idle',
  attention: null,
  destination: {
    id: exampleId('destination'),
    type: 'webhook',
    name: 'Ledger service',
    mapping_mode: 'bulk',
  },
  accounts: [exampleId('account')],
  account_mappings: [],
  options: {
    data_from: '2026-05-02',
    include_pending: false,
    mask_account_numbers: true,
    custom_categories: true,
    include_balances_tab: false,
  },
  rulesets: [],
  latest_run: null,
  last_synced_at: EXAMPLE_UPDATED,
  next_run_at: '2026-11-21T04:05:06.980Z',
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

export const syncsNoun: Noun = {
  tag: 'syncs',
  description: 'Copies of account data into destinations, on a schedule or on demand.',
  resources: {
    sync: {
      description: 'What is copied from which accounts to which destination, and how.',
      fields: {
        status:
          'running: a run is queued or under way; attention: the last run failed, or the sync is parked.',
        attention: 'Why a person should look at it.',
        account_mappings: 'Where the rows of each account go, in per_account mode.',
        rulesets: 'Ids of the attached rulesets.',
        latest_run:
          'The newest run, with include[]=latest_run and in the answer that queued it. Otherwise null, which does not mean that the sync never ran: see last_synced_at.',
        next_run_at: 'When the schedule next queues a run.',
      },
      example: sync,
    },
    category_mapping: categoryMappingWords,
    ...dryRunWords,
  },
  operations: {
    ...categoryMappingOperationWords,
    ...dryRunOperationWords,
    ...syncExportWords,
    create_sync: {
      description:
        'The destination must be active and used by no other sync. `options.data_from` is the first day that is sent. It is clamped to the last 84 months and shown as clamped; without it the sync sends the last 6 months, 3 on trial. Unless `run_now` is false, `latest_run` is the queued first run.',
      sent: {
        type: 'holdings and trades need brokerage accounts.',
        mapping_mode: 'bulk: all accounts into one place; per_account: each where its mapping says.',
        account_mappings: 'One for each account: account, and where its rows go.',
        run_now: 'Whether the first run is queued at once; true when absent.',
      },
      body: {
        type: 'transactions',
        name: 'Everyday to the ledger',
        destination: exampleId('destination'),
        accounts: [exampleId('account')],
        mapping_mode: 'bulk',
        options: { data_from: '2026-05-02', custom_categories: true },
      },
      answer: {
        ...sync,
        status: 'running',
        latest_run: queuedRunExample,
        last_synced_at: null,
        updated: EXAMPLE_CREATED,
      },
    },
    update_sync: {
      description: 'Omitted fields are unchanged. A metadata key set to null is removed.',
      sent: { accounts: 'All of them: those left out are no longer read.' },
      body: { enabled: false, options: { include_pending: true } },
    },
    delete_sync: { description: 'Rulesets and the destination stay, and what was delivered.' },
    attach_rulesets: {
      description: 'What is attached from now on, for the next run; an empty list detaches.',
      body: { rulesets: [exampleId('ruleset')] },
      answer: { ...sync, rulesets: [exampleId('ruleset')] },
    },
    run_sync: { answer: queuedRunExample },
    resync: {
      description:
        'Rewinds to `options.data_from`. Rows that were delivered are delivered again, under the same ids.',
      sent: { confirm: 'Must be true.' },
      body: { confirm: true },
      answer: { ...queuedRunExample, trigger: 'resync' },
    },
  },
};
