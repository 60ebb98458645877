/** Kinds of events that a webhook destination is sent (docs/webhooks.md#the-body). */
export const WEBHOOK_EVENT_KINDS = ['transactions.synced', 'trades.synced'] as const;
export type WebhookEventKind = (typeof WEBHOOK_EVENT_KINDS)[number];

/** How sending an event ended, so far: one that failed may be sent again under the same id. */
export const WEBHOOK_DELIVERY_STATUSES = ['succeeded', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];
