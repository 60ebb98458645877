import {
  EVENT_SELECTORS,
  type EventSelector,
  isEventSelector,
} from '../../../../src/vocabulary/event-selectors.ts';

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

/** The selectors with one more or one less. What a wider one covers is left out, so that none is chosen twice. */
export function withSelector(
  chosen: readonly string[],
  selector: string,
  on: boolean,
): readonly EventSelector[] {
  const next = on ? [...chosen, selector] : chosen.filter((one) => one !== selector);
  return EVENT_SELECTORS.filter(isEventSelector).filter((one) => next.includes(one) && !isCovered(one, next));
}
