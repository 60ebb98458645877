import {
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookDeliveryStatus,
} from '../../../../src/vocabulary/webhook-events.ts';
import { type DestinationReturn, destinationReturn } from './destination-return.ts';
import type { Search } from './search.ts';

export interface DestinationSearch extends DestinationReturn {
  /** Which deliveries are shown. */
  readonly deliveries?: WebhookDeliveryStatus;
}

export function destinationSearch(search: Search): DestinationSearch {
  const deliveries = WEBHOOK_DELIVERY_STATUSES.find((one) => one === search.deliveries);
  return { ...destinationReturn(search), ...(deliveries !== undefined && { deliveries }) };
}
