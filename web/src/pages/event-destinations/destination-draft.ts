import type { EventSelector } from '../../../../src/vocabulary/event-selectors.ts';

/** What the form holds while somebody fills it in. */
export interface DestinationDraft {
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventSelector[];
}

export const EMPTY_DRAFT: DestinationDraft = { name: '', url: '', events: ['*'] };

export function draftOf({
  name,
  webhook_endpoint: endpoint,
  enabled_events: events,
}: {
  readonly name: string;
  readonly webhook_endpoint: { readonly url: string };
  readonly enabled_events: readonly EventSelector[];
}): DestinationDraft {
  return { name, url: endpoint.url, events };
}

export function bodyOf({ name, url, events }: DestinationDraft) {
  return { name: name.trim(), webhook_endpoint: { url: url.trim() }, enabled_events: [...events] };
}

/** What somebody changed. An address that stays is left out: to change it needs a fresh sign-in, to rename does not. */
export function changesOf(
  before: DestinationDraft,
  draft: DestinationDraft,
): Partial<ReturnType<typeof bodyOf>> {
  const { webhook_endpoint, ...rest } = bodyOf(draft);
  return webhook_endpoint.url === before.url ? rest : { ...rest, webhook_endpoint };
}

export function isComplete({ name, url, events }: DestinationDraft): boolean {
  return name.trim() !== '' && url.trim() !== '' && events.length > 0;
}
