/** Kinds of events that are sent to a webhook destination (docs/webhooks.md#the-body). */
export const WEBHOOK_EVENT_KINDS = ['transactions.synced', 'trades.synced'] as const;
export type WebhookEventKind = (typeof WEBHOOK_EVENT_KINDS)[number];

/** The result of sending an event so far: one that failed may be sent again under the same id. */
export const WEBHOOK_DELIVERY_STATUSES = ['succeeded', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];
