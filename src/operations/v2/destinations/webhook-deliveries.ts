import { type Static, type TObject, Type } from 'typebox';
import type { Replay } from '../../../features/sync-engine/replay/replay-sender.ts';
import type { ListedDelivery } from '../../../storage/webhook-deliveries.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { WEBHOOK_DELIVERY_STATUSES, WEBHOOK_EVENT_KINDS } from '../../../vocabulary/webhook-events.ts';
import { syncPermit } from '../../admit.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, exampleId } from '../docs/examples.ts';
import { attemptSchema, presentAttempts } from '../events/resource.ts';
import {
  idOf,
  idParams,
  livemode,
  moment,
  nullable,
  oneOf,
  pathId,
  resource,
  timestamp,
} from '../schema/conventions.ts';
import { backfillBody } from '../sync-runs/resource.ts';

const count = Type.Integer({ minimum: 0 });

/** docs/webhooks.md#deliveries */
export const webhookDeliverySchema = resource('webhook_delivery', {
  id: idOf('webhook_delivery'),
  object: Type.Literal('webhook_delivery'),
  destination: idOf('destination'),
  sync: idOf('sync'),
  sync_run: nullable(idOf('sync_run')),
  event: Type.String({ format: 'uuid' }),
  type: oneOf(WEBHOOK_EVENT_KINDS),
  status: oneOf(WEBHOOK_DELIVERY_STATUSES),
  new_count: count,
  updated_count: count,
  removed_count: count,
  attempt_count: count,
  attempts: Type.Array(attemptSchema),
  livemode,
  created: timestamp,
});

/** docs/webhooks.md#sending-rows-again */
export const webhookReplaySchema = resource('webhook_replay', {
  object: Type.Literal('webhook_replay'),
  sent: count,
  missing: nullable(count),
  undelivered: count,
  deliveries: count,
  failure: nullable(
    Type.Object(
      { code: Type.String({ description: 'A code of the error reference, or of a failed run.' }) },
      { additionalProperties: false },
    ),
  ),
  livemode,
});

export function presentWebhookDelivery(row: ListedDelivery): Static<typeof webhookDeliverySchema> {
  return {
    id: publicId('webhook_delivery', row.id),
    object: 'webhook_delivery',
    destination: publicId('destination', row.destination),
    sync: publicId('sync', row.sync),
    sync_run: row.run === null ? null : publicId('sync_run', row.run),
    event: row.event_id,
    type: row.kind,
    status: row.status,
    new_count: row.new_count,
    updated_count: row.updated_count,
    removed_count: row.removed_count,
    attempt_count: row.attempts,
    attempts: presentAttempts(row.log),
    livemode: true,
    created: moment(row.created),
  };
}

export function presentReplay({
  sent,
  missing,
  undelivered,
  deliveries,
  failure,
}: Replay): Static<typeof webhookReplaySchema> {
  return {
    object: 'webhook_replay',
    sent,
    missing,
    undelivered,
    deliveries,
    failure: failure === null ? null : { code: failure },
    livemode: true,
  };
}

const deliveryExample: Static<typeof webhookDeliverySchema> = {
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

const replayExample: Static<typeof webhookReplaySchema> = {
  object: 'webhook_replay',
  sent: 612,
  missing: null,
  undelivered: 0,
  deliveries: 2,
  failure: null,
  livemode: true,
};

/** Resources of what was sent to webhooks, by their schema's name. */

export const webhookDeliveriesDocs: Readonly<Record<string, ResourceDocs>> = {
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
    example: deliveryExample,
  },
  webhook_replay: {
    description: 'What was sent to a webhook again.',
    fields: {
      sent: 'Rows, and ids of removed rows, that the receiver took.',
      missing:
        'Rows of the delivery that the bank does not return any more, that were removed or that rules skip now; null for a replay of days.',
      undelivered: 'Rows that were never delivered: the next run sends them.',
      deliveries: 'Events that the receiver took.',
      failure: 'Why it is incomplete; null if it is complete.',
    },
    example: replayExample,
  },
};

const path = '/v2/destinations/:id/deliveries';

const deliveryParams: TObject<{ id: Type.TString; delivery: Type.TString }> = Type.Object({
  id: idOf('destination'),
  delivery: idOf('webhook_delivery'),
});

export const webhookDeliveryOperations: readonly Operation[] = [
  operation({
    id: 'list_webhook_deliveries',
    summary: 'List what was sent to a webhook lately, and how it was answered',
    docs: { description: 'The latest 50 events.' },
    method: 'GET',
    path,
    scope: 'destinations:read',
    tier: 'cheap',
    params: idParams('destination'),
    query: Type.Object(pagingQuery),
    response: listOf(webhookDeliverySchema),
    errors: ['resource_missing', 'not_a_webhook'],
    handle: async (request) => {
      const { params, caller, services } = request;
      const id = pathId('destination', params.id);
      const shown = `/v2/destinations/${publicId('destination', id)}/deliveries`;
      const paging = new ListRequest(request, `list_webhook_deliveries ${id}`, shown, request.query);
      const page = await services.replays.deliveries(caller.accountRecord.id, id, paging.pageRequest);
      return paging.envelope(page, presentWebhookDelivery);
    },
  }),
  operation({
    id: 'replay_webhook_delivery',
    summary: 'Send the rows of a delivery to its webhook again, as the bank has them now',
    docs: {
      description:
        'Outside a run: `metadata.sync_run_id` is null, event ids are new, rows are in `data.new`. What was delivered stays recorded as it is.',
      answer: { ...replayExample, sent: 12, missing: 1, deliveries: 1 },
    },
    method: 'POST',
    path: `${path}/:delivery/replay`,
    scope: 'destinations:write',
    tier: 'heavy',
    effect: 'reaches_out',
    longest: 'replay_seconds',
    params: deliveryParams,
    response: webhookReplaySchema,
    errors: [
      'resource_missing',
      'not_a_webhook',
      'destination_disabled',
      'sync_already_running',
      'professional_required',
      'categories_seed_failed',
    ],
    handle: async ({ params, caller, services, signal }) => {
      const destination = pathId('destination', params.id);
      const delivery = pathId('webhook_delivery', params.delivery);
      const { id: owner } = caller.accountRecord;
      const permit = syncPermit(caller, services.clock);
      return presentReplay(await services.replays.delivery(owner, destination, delivery, permit, signal));
    },
  }),
  operation({
    id: 'replay_sync',
    summary: 'Send what a webhook received of a range of days to it again, as the bank has it now',
    docs: {
      description:
        'Outside a run: `metadata.sync_run_id` is null, event ids are new, rows are in `data.new`. Sends the rows of these days that were delivered before, and no others.',
      body: { from: '2026-11-01', to: '2026-11-19' },
    },
    method: 'POST',
    path: '/v2/syncs/:id/replay',
    scope: 'syncs:write',
    tier: 'heavy',
    effect: 'reaches_out',
    longest: 'replay_seconds',
    params: idParams('sync'),
    body: backfillBody,
    response: webhookReplaySchema,
    errors: [
      'resource_missing',
      'not_supported',
      'invalid_date_range',
      'from_too_old',
      'sync_has_no_destination',
      'not_a_webhook',
      'destination_disabled',
      'sync_already_running',
      'professional_required',
      'categories_seed_failed',
    ],
    handle: async ({ params, body, caller, services, signal }) => {
      const id = pathId('sync', params.id);
      const days = { from: body.from, to: body.to ?? null };
      const permit = syncPermit(caller, services.clock);
      return presentReplay(await services.replays.days(caller.accountRecord, id, days, permit, signal));
    },
  }),
];
