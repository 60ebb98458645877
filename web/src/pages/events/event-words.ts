import { EVENT_KINDS, type EventKind } from '../../../../src/vocabulary/event-kinds.ts';
import { EVENTS } from '../../text/events.ts';

const WORDS: Readonly<Record<string, string>> = EVENTS.nouns;

/** What a family of events is about: `sync_run.*` is about sync runs. */
export function nounWords(family: string): string {
  const noun = family.slice(0, family.indexOf('.'));
  return WORDS[noun] ?? noun;
}

/** When an event of the kind happens, as a sentence of its own. */
export function whenWords(kind: EventKind): string {
  const when = EVENT_KINDS[kind].when.replaceAll('`', '');
  return `${when.charAt(0).toUpperCase()}${when.slice(1)}`;
}
