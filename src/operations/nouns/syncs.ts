import type { Static } from 'typebox';
import type { syncSchema } from '../schemas/syncs.ts';
import { categoryMappingOperationWords, categoryMappingWords } from './category-mappings.ts';
import { dryRunOperationWords, dryRunWords } from './dry-runs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import { syncExportWords } from './exports.ts';
import type { Noun } from './noun.ts';
import { queuedRunExample } from './sync-runs.ts';
import { verificationOperationWords, verificationWords } from './verifications.ts';
import { syncReplayWords } from './webhook-deliveries.ts';

const sync: Static<typeof syncSchema> = {
  id: exampleId('sync'),
  object: 'sync',
  name: 'Everyday to the ledger',
  type: 'transactions',
  enabled: true,
  status: 'idle',
  attention: null,
  warnings: [],
  destination: {
    id: exampleId('destination'),
    type: 'webhook',
    name: 'Ledger service',
    mapping_mode: 'bulk',
  },
  accounts: [exampleId('account')],
  account_mappings: [],
  columns: null,
  options: {
    data_from: '2026-05-02',
    include_pending: false,
    mask_account_numbers: true,
    custom_categories: true,
    include_balances_tab: false,
  },
  rulesets: [],
  latest_run: null,
  schedule: { times: ['08:00', '18:30'], timezone: 'Pacific/Auckland' },
  last_synced_at: EXAMPLE_UPDATED,
  next_run_at: '2026-11-21T05:30:00.000Z',
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
        warnings:
          'What its settings bring about that may not be wanted; it runs all the same. same_account_twice: these accounts are one account at the bank, linked more than once, so each of its rows is delivered once for each of them.',
        account_mappings: 'Where the rows of each account go, in per_account mode.',
        columns: 'Fields of its rows that the owner chose, in order; null for the standard columns.',
        rulesets: 'Ids of the attached rulesets.',
        latest_run:
          'The newest run, with include[]=latest_run and in the answer that queued it. Otherwise null, which does not mean that the sync never ran: see last_synced_at.',
        schedule:
          'When it runs on its own: every so many minutes, or at times of day in a zone. null: as often as the service lets it.',
        next_run_at: 'When the schedule next queues a run.',
      },
      example: sync,
    },
    category_mapping: categoryMappingWords,
    ...dryRunWords,
    ...verificationWords,
  },
  operations: {
    ...categoryMappingOperationWords,
    ...dryRunOperationWords,
    ...verificationOperationWords,
    ...syncReplayWords,
    ...syncExportWords,
    create_sync: {
      description:
        'The destination must be active and used by no other sync. `options.data_from` is the first day that is sent. It is clamped to the last 84 months and shown as clamped; without it the sync sends the last 6 months, 3 on trial. Unless `run_now` is false, `latest_run` is the queued first run.',
      sent: {
        type: 'holdings and trades need brokerage accounts.',
        schedule:
          'interval_minutes, or times and timezone. Runs must be as far apart as the service requires, 360 minutes by default. null or absent: as often as it may.',
        mapping_mode: 'bulk: all accounts into one place; per_account: each where its mapping says.',
        account_mappings: 'One for each account: account, and where its rows go.',
        columns:
          'Names of fields, in order, for a destination with columns to choose from; null or absent: the standard columns.',
        run_now: 'Whether the first run is queued at once; true when absent.',
      },
      body: {
        type: 'transactions',
        name: 'Everyday to the ledger',
        destination: exampleId('destination'),
        accounts: [exampleId('account')],
        mapping_mode: 'bulk',
        options: { data_from: '2026-05-02', custom_categories: true },
        schedule: { times: ['08:00', '18:30'], timezone: 'Pacific/Auckland' },
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
      sent: {
        schedule: 'From now on, as in create_sync; null: as often as it may.',
        accounts: 'All of them: those left out are no longer read.',
        columns: 'All of them, in order; the next run writes older rows again. null: the standard columns.',
      },
      body: { enabled: false, options: { include_pending: true } },
    },
    delete_sync: { description: 'Rulesets and the destination stay, and what was delivered.' },
    attach_rulesets: {
      description: 'What is attached from now on, for the next run; an empty list detaches.',
      body: { rulesets: [exampleId('ruleset')] },
      answer: { ...sync, rulesets: [exampleId('ruleset')] },
    },
    run_sync: { answer: queuedRunExample },
    backfill_sync: {
      description:
        'Queues a run that reads the days from `from` to `to` again and delivers what is missing or changed there. Nothing else changes: not what later runs read, not when the sync runs next. Nothing from before `options.data_from` is delivered.',
      body: { from: '2026-07-01', to: '2026-07-31' },
      answer: { ...queuedRunExample, range: { from: '2026-07-01', to: '2026-07-31' } },
    },
    resync: {
      description:
        'Rewinds to `options.data_from`. Rows that were delivered are delivered again, under the same ids.',
      sent: { confirm: 'Must be true.' },
      body: { confirm: true },
      answer: { ...queuedRunExample, trigger: 'resync' },
    },
  },
};
