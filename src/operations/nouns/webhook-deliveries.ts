import type { Static } from 'typebox';
import type { webhookDeliverySchema, webhookReplaySchema } from '../schemas/webhook-deliveries.ts';
import { EXAMPLE_CREATED, exampleId } from './example-values.ts';
import type { OperationWords, ResourceWords } from './noun.ts';

const delivery: Static<typeof webhookDeliverySchema> = {
  id: exampleId('webhook_delivery'),
  object: 'webhook_delivery',
  destination: exampleId('destination'),
  sync: exampleId('sync'),
  sync_run: exampleId('sync_run'),
  event: '2b0e3c7e-5b0c-5a43-8a38-0f1f4ad3a111',
  type: 'transactions.synced',
  status: 'failed',
  new_count: 12,
  updated_count: 1,
  removed_count: 0,
  attempt_count: 1,
  attempts: [
    {
      attempted: EXAMPLE_CREATED,
      duration_ms: 212,
      status_code: 422,
      failure: null,
      answer: 'amount must be a string',
    },
  ],
  livemode: true,
  created: EXAMPLE_CREATED,
};

const replay: Static<typeof webhookReplaySchema> = {
  object: 'webhook_replay',
  sent: 612,
  missing: null,
  undelivered: 0,
  deliveries: 2,
  failure: null,
  livemode: true,
};

/** Resources of what was sent to webhooks, by their schema's name. */
export const webhookDeliveryWords: Readonly<Record<string, ResourceWords>> = {
  webhook_delivery: {
    description: 'One event that was sent to a webhook: counts and attempts, never its rows.',
    fields: {
      sync_run: 'The run that produced it; null for a replay.',
      event: 'The id of the event as it was sent.',
      status: 'failed: the receiver did not take it; it may be sent again under the same event id.',
      attempt_count: 'Attempts so far.',
      attempts:
        'The latest attempts, oldest first. `answer` is how an answer outside 2xx begins, at most 300 characters.',
    },
    example: delivery,
  },
  webhook_replay: {
    description: 'What was sent to a webhook again.',
    fields: {
      sent: 'Rows, and ids of removed rows, that the receiver took.',
      missing:
        'Rows of the delivery that the bank does not return any more, that were removed or that rules skip now; null for a replay of days.',
      undelivered: 'Rows that were never delivered: the next run sends them.',
      deliveries: 'Events that the receiver took.',
      failure: 'Why it is incomplete; null where it is complete.',
    },
    example: replay,
  },
};

export const webhookDeliveryOperationWords: Readonly<Record<string, OperationWords>> = {
  list_webhook_deliveries: { description: 'The latest 50 events.' },
  replay_webhook_delivery: {
    description:
      'Outside a run: `metadata.sync_run_id` is null, event ids are new, rows are in `data.new`. What was delivered stays recorded as it is.',
    answer: { ...replay, sent: 12, missing: 1, deliveries: 1 },
  },
};

export const syncReplayWords: Readonly<Record<string, OperationWords>> = {
  replay_sync: {
    description:
      'Outside a run: `metadata.sync_run_id` is null, event ids are new, rows are in `data.new`. Sends the rows of these days that were delivered before, and no others.',
    body: { from: '2026-11-01', to: '2026-11-19' },
  },
};
