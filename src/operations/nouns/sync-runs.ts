import type { Static } from 'typebox';
import type { rejectedRowSchema } from '../schemas/rejected-rows.ts';
import type { syncRunSchema } from '../schemas/sync-runs.ts';
import { EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

export const syncRunExample: Static<typeof syncRunSchema> = {
  id: exampleId('sync_run'),
  object: 'sync_run',
  sync: exampleId('sync'),
  destination: exampleId('destination'),
  status: 'succeeded',
  trigger: 'schedule',
  range: null,
  counts: { processed: 42, added: 40, updated: 1, rejected: 0, skipped_by_rules: 1 },
  rejected_unlisted: 0,
  failure: null,
  account_results: null,
  started_at: '2026-11-20T22:05:07.100Z',
  completed_at: EXAMPLE_UPDATED,
  duration_ms: 2318,
  livemode: true,
  created: '2026-11-20T22:05:06.980Z',
};

export const queuedRunExample: Static<typeof syncRunSchema> = {
  ...syncRunExample,
  status: 'queued',
  trigger: 'api',
  counts: { processed: 0, added: 0, updated: 0, rejected: 0, skipped_by_rules: 0 },
  started_at: null,
  completed_at: null,
  duration_ms: 0,
};

const rejectedRowExample: Static<typeof rejectedRowSchema> = {
  id: exampleId('rejected_row'),
  object: 'rejected_row',
  sync: exampleId('sync'),
  account: exampleId('account'),
  origin: 'provider',
  row: 'txn_fk_8f21c0',
  day: '2026-11-18',
  field: 'amount',
  reason: 'unreadable',
  first_sync_run: exampleId('sync_run'),
  last_sync_run: exampleId('sync_run'),
  last_seen: EXAMPLE_UPDATED,
  livemode: true,
  created: '2026-11-20T22:05:06.980Z',
};

export const syncRunsNoun: Noun = {
  tag: 'sync_runs',
  description: 'Executions of syncs.',
  resources: {
    sync_run: {
      description: 'One execution of a sync.',
      fields: {
        trigger: 'What queued it.',
        range: 'The only days that a backfill reads, both included. null: what is due.',
        counts:
          'What became of the rows that were read. rejected: they could not be read, or the destination refused them.',
        rejected_unlisted: 'How many of the rejected rows the list of the sync has no room for.',
        failure: 'Why it failed, once it has; retryable: running it again can help.',
      },
      example: syncRunExample,
    },
    rejected_row: {
      description: 'A row that a sync could not deliver when it last met it.',
      fields: {
        origin: 'provider: it could not be read from the bank; destination: it was refused there.',
        row: 'The id of the row; null where it has none that can be read.',
        field: 'The member of the row that is at fault; null where no single one is.',
        reason: 'Why, as the page on rows set aside lists.',
        first_sync_run: 'The run that met it first.',
        last_sync_run: 'The run that met it last.',
        last_seen: 'When that run ended.',
      },
      example: rejectedRowExample,
    },
  },
  operations: {
    list_rejected_rows: {
      sent: {
        origin:
          'Only rows that could not be read from the bank (provider), or that were refused (destination).',
      },
      description:
        'At most 1,000 rows of a sync are remembered. A row that was delivered since, or that the bank has no more, is not listed any more.',
    },
    cancel_sync_run: {
      answer: { ...queuedRunExample, status: 'cancelled', completed_at: EXAMPLE_UPDATED },
    },
  },
};
