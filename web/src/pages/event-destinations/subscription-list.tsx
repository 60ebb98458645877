import { isEventKind } from '../../../../src/vocabulary/event-kinds.ts';
import { EVENT_DESTINATION_FORM } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { nounWords, whenWords } from '../events/event-words.ts';
import { EVERYTHING } from './selected-events.ts';

/** What an event destination receives, in words. */
export function SubscriptionList({ selected }: { readonly selected: readonly string[] }) {
  return (
    <ul className={classes.list}>
      {selected.map((selector) => (
        <li key={selector}>
          <span className={classes.code}>{selector}</span>
          <span className={classes.meaning}>{wordsOf(selector)}</span>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(selector: string): string {
  if (selector === EVERYTHING) return EVENT_DESTINATION_FORM.everything;
  return isEventKind(selector) ? whenWords(selector) : EVENT_DESTINATION_FORM.family(nounWords(selector));
}
