import type { Static } from 'typebox';
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

export const syncRunsNoun: Noun = {
  tag: 'sync_runs',
  description: 'Executions of syncs.',
  resources: {
    sync_run: {
      description: 'One execution of a sync.',
      fields: {
        trigger: 'What queued it.',
        range: 'The only days that a backfill reads, both included. null: what is due.',
        counts: 'What became of the rows that were read.',
        failure: 'Why it failed, once it has; retryable: running it again can help.',
      },
      example: syncRunExample,
    },
  },
  operations: {
    cancel_sync_run: {
      answer: { ...queuedRunExample, status: 'cancelled', completed_at: EXAMPLE_UPDATED },
    },
  },
};
