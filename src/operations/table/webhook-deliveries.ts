import { type TObject, Type } from 'typebox';
import { publicId } from '../../vocabulary/ids.ts';
import { syncPermit } from '../brokerage-access.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentReplay, presentWebhookDelivery } from '../presenters/webhook-deliveries.ts';
import { idOf } from '../schemas/conventions.ts';
import { backfillBody } from '../schemas/sync-runs.ts';
import { webhookDeliverySchema, webhookReplaySchema } from '../schemas/webhook-deliveries.ts';

const path = '/v2/destinations/:id/deliveries';

const deliveryParams: TObject<{ id: Type.TString; delivery: Type.TString }> = Type.Object({
  id: idOf('destination'),
  delivery: idOf('webhook_delivery'),
});

export const webhookDeliveryOperations: readonly Operation[] = [
  operation({
    id: 'list_webhook_deliveries',
    summary: 'List what was sent to a webhook lately, and how it was answered',
    method: 'GET',
    path,
    scope: 'destinations:read',
    tier: 'cheap',
    params: idParams('destination'),
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(webhookDeliverySchema),
    errors: ['resource_missing', 'not_a_webhook'],
    handle: async (request) => {
      const { params, caller, services } = request;
      const id = pathId('destination', params.id);
      const shown = `/v2/destinations/${publicId('destination', id)}/deliveries`;
      const walk = new Walk(request, `list_webhook_deliveries ${id}`, shown, request.query);
      const page = await services.replays.deliveries(caller.accountRecord.id, id, walk.pageRequest);
      return walk.envelope(page, presentWebhookDelivery);
    },
  }),
  operation({
    id: 'replay_webhook_delivery',
    summary: 'Send the rows of a delivery to its webhook again, as the bank has them now',
    method: 'POST',
    path: `${path}/:delivery/replay`,
    scope: 'destinations:write',
    tier: 'heavy',
    effect: 'reaches_out',
    longest: 'replay_seconds',
    params: deliveryParams,
    query: none,
    body: none,
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
    method: 'POST',
    path: '/v2/syncs/:id/replay',
    scope: 'syncs:write',
    tier: 'heavy',
    effect: 'reaches_out',
    longest: 'replay_seconds',
    params: idParams('sync'),
    query: none,
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
