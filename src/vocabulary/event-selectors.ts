import { EVENT_KIND_NAMES, EVENT_KINDS, type EventKind } from './event-kinds.ts';

const ALL = '*';
/** Only the event destination that was pinged receives a ping, whatever it and others subscribe to. */
const PING = 'event_destination.ping' satisfies EventKind;

type EventFamily = ReturnType<typeof familyOf>;

export type EventSelector = typeof ALL | EventFamily | EventKind;

/** Every kind whose name begins with the same resource, such as `sync_run.*`. */
export const EVENT_FAMILIES: readonly EventFamily[] = [...new Set(EVENT_KIND_NAMES.map(familyOf))];

/** What an event destination can subscribe to: everything, a family of kinds, or a kind (docs/events.md). */
export const EVENT_SELECTORS: readonly string[] = [ALL, ...EVENT_FAMILIES, ...EVENT_KIND_NAMES];

export function isEventSelector(text: string): text is EventSelector {
  return EVENT_SELECTORS.includes(text);
}

/** Whether one of the selectors includes events of the kind. */
export function selectsKind(selectors: readonly string[], kind: EventKind): boolean {
  return kind !== PING && kindsNamed(selectors).includes(kind);
}

/** The kinds that any of the selectors includes, for filtering a list of events. */
export function kindsNamed(selectors: readonly string[]): readonly EventKind[] {
  const isNamed = (kind: EventKind) =>
    [ALL, familyOf(kind), kind].some((selector) => selectors.includes(selector));
  return EVENT_KIND_NAMES.filter(isNamed);
}

function familyOf(kind: EventKind) {
  return `${EVENT_KINDS[kind].of}.*` as const;
}
