import type { Static } from 'typebox';
import type { Replay } from '../../features/sync-engine/replay-result.ts';
import type { ListedDelivery } from '../../storage/webhook-deliveries.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { webhookDeliverySchema, webhookReplaySchema } from '../schemas/webhook-deliveries.ts';
import { presentAttempts } from './events.ts';
import { moment } from './moments.ts';

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
