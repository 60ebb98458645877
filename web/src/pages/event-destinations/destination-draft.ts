import type { EventDestination } from '../../api/event-destinations.ts';

/** What the form holds while somebody fills it in. */
export interface DestinationDraft {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
}

export const EMPTY_DRAFT: DestinationDraft = { name: '', url: '', events: ['*'] };

export function draftOf({
  name,
  webhook_endpoint: endpoint,
  enabled_events: events,
}: EventDestination): DestinationDraft {
  return { name, url: endpoint.url, events };
}

export function bodyOf({ name, url, events }: DestinationDraft) {
  return { name: name.trim(), webhook_endpoint: { url: url.trim() }, enabled_events: [...events] };
}

export function isComplete({ name, url, events }: DestinationDraft): boolean {
  return name.trim() !== '' && url.trim() !== '' && events.length > 0;
}
