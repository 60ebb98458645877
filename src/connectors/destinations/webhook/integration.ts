import type { DestinationIntegration } from '../destination-integration.ts';

/** Webhooks need no settings: each destination brings its own address and secret. */
export const WEBHOOK: DestinationIntegration = {
  kind: 'destination',
  name: 'webhook',
  variables: [],
  open: async (_values, { http, clock, limits }) => {
    const { WebhookConnector } = await import('./webhook-connector.ts');
    return new WebhookConnector({ http, clock, chunkRows: limits.webhook_chunk_rows });
  },
};
