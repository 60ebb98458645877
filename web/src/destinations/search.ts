import { DESTINATION_TYPES, type DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import {
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookDeliveryStatus,
} from '../../../src/vocabulary/webhook-events.ts';
import type { Search } from '../shell/search.ts';

/** How connecting a destination ended, as the service says when it sends the person back. */
export interface DestinationReturn {
  readonly destination_link?: 'completed' | 'failed';
  readonly reason?: string;
}

export function destinationReturn({ destination_link: outcome, reason }: Search): DestinationReturn {
  if (outcome === 'completed') return { destination_link: outcome };
  if (outcome !== 'failed') return {};
  return { destination_link: outcome, ...(typeof reason === 'string' && { reason }) };
}

interface DestinationSearch extends DestinationReturn {
  /** Which deliveries are shown. */
  readonly deliveries?: WebhookDeliveryStatus;
}

export function destinationSearch(search: Search): DestinationSearch {
  const deliveries = WEBHOOK_DELIVERY_STATUSES.find((one) => one === search.deliveries);
  return { ...destinationReturn(search), ...(deliveries !== undefined && { deliveries }) };
}

interface NewDestinationSearch extends DestinationReturn {
  readonly type?: DestinationType;
}

export function newDestinationSearch(search: Search): NewDestinationSearch {
  const type = DESTINATION_TYPES.find((one) => one === search.type);
  return { ...destinationReturn(search), ...(type !== undefined && { type }) };
}
