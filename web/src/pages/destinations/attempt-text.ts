import type { WebhookDelivery } from '#client';
import { DELIVERIES } from '../../text/webhook-deliveries.ts';

export type Attempt = WebhookDelivery['attempts'][number];

/** The last attempt to send an event, whichever end of the log it is at. */
export function latestAttempt({ attempts }: Pick<WebhookDelivery, 'attempts'>): Attempt | null {
  return attempts.toSorted((a, b) => a.attempted.localeCompare(b.attempted)).at(-1) ?? null;
}

/** How an attempt ended: with a status, or why without one. */
export function attemptText({ status_code: code, failure }: Attempt): string {
  if (failure !== null) return DELIVERIES.failures[failure];
  return code === null ? DELIVERIES.failures.connection : DELIVERIES.answered(code);
}
