import { EVENT_SELECTORS } from '../../vocabulary/event-selectors.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

/** What an event destination subscribes to, each once. Raises `parameter_invalid` (`enabled_events`). */
export function requireSelectors(given: readonly string[]): string[] {
  const selectors = [...new Set(given)];
  if (selectors.length === 0) {
    throw invalidParameter(
      'enabled_events',
      'Name at least one kind of event, a family such as sync_run.*, or *.',
    );
  }
  const unknown = selectors.find((selector) => !EVENT_SELECTORS.includes(selector));
  if (unknown !== undefined) {
    throw invalidParameter(
      'enabled_events',
      'One of these is no kind of event, no family such as sync_run.*, and not *. The kinds are listed in docs/events.md.',
    );
  }
  return selectors;
}
