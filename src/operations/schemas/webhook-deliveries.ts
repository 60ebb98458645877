import { Type } from 'typebox';
import { WEBHOOK_DELIVERY_STATUSES, WEBHOOK_EVENT_KINDS } from '../../vocabulary/webhook-events.ts';
import { idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';
import { attemptSchema } from './events.ts';

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
