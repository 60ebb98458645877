import {
  EVENT_SELECTORS,
  type EventSelector,
  isEventSelector,
} from '../../../../src/vocabulary/event-selectors.ts';

/** The state of the form. */
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

/** The changes. An unchanged address is left out, because changing it needs a fresh sign-in, and renaming does not. */
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

export const EVERYTHING = '*';

/** The family of a kind, `sync_run.*`. */
export function familyOf(selector: string): string {
  return `${selector.slice(0, selector.indexOf('.'))}.*`;
}

/** Whether the selector is chosen through a wider one: its family, or everything. */
export function isCovered(selector: string, chosen: readonly string[]): boolean {
  if (selector !== EVERYTHING && chosen.includes(EVERYTHING)) return true;
  return selector !== familyOf(selector) && selector !== EVERYTHING && chosen.includes(familyOf(selector));
}

/** The selectors with one added or removed. Those covered by a wider one are left out. */
export function withSelector(
  chosen: readonly string[],
  selector: string,
  on: boolean,
): readonly EventSelector[] {
  const next = on ? [...chosen, selector] : chosen.filter((one) => one !== selector);
  return EVENT_SELECTORS.filter(isEventSelector).filter((one) => next.includes(one) && !isCovered(one, next));
}
