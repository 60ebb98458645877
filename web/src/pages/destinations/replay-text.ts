import type { WebhookReplay } from '#client';
import { DELIVERIES } from '../../text/webhook-deliveries.ts';

/** The result of sending again, in sentences. */
export function replayText({ sent, deliveries, missing, undelivered, failure }: WebhookReplay): string {
  const words = DELIVERIES.sent;
  return [
    words.text(sent, deliveries),
    missing === null || missing === 0 ? '' : words.missing(missing),
    undelivered === 0 ? '' : words.undelivered(undelivered),
    failure === null ? '' : words.failure(failure.code),
  ].join('');
}
