import { EVENT_KIND_NAMES } from '../../../../src/vocabulary/event-kinds.ts';
import { EVENT_FAMILIES, type EventSelector } from '../../../../src/vocabulary/event-selectors.ts';
import { Check } from '../../parts/fields.tsx';
import boxes from '../../parts/form.module.css';
import { EVENT_DESTINATION_FORM } from '../../text/events.ts';
import { nounWords, whenWords } from '../events/event-words.ts';
import classes from './event-destinations.module.css';
import { EVERYTHING, familyOf, isCovered, withSelector } from './selected-events.ts';

interface EventFieldsProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly EventSelector[]) => void;
}

/** Which events are sent: everything, whole families, or single kinds, each with when it happens. */
export function EventFields({ chosen, onChange }: EventFieldsProps) {
  const words = EVENT_DESTINATION_FORM;
  const box = (selector: string, label: string, hint?: string) => {
    const covered = isCovered(selector, chosen);
    return (
      <Check
        label={label}
        {...(covered ? { hint: words.covered } : hint !== undefined && { hint })}
        checked={covered || chosen.includes(selector)}
        disabled={covered}
        onChange={(on) => onChange(withSelector(chosen, selector, on))}
      />
    );
  };
  return (
    <fieldset className={classes.events}>
      <legend className={classes.legend}>{words.events}</legend>
      <p className={classes.hint}>{words.eventsHint}</p>
      <div className={boxes.groups}>
        <div>{box(EVERYTHING, words.everything)}</div>
        {chosen.includes(EVERYTHING)
          ? null
          : EVENT_FAMILIES.map((family) => (
              <div key={family}>
                {box(family, words.family(nounWords(family)))}
                <div className={classes.kinds}>
                  {EVENT_KIND_NAMES.filter((kind) => familyOf(kind) === family).map((kind) => (
                    <div key={kind}>{box(kind, kind, whenWords(kind))}</div>
                  ))}
                </div>
              </div>
            ))}
      </div>
      {chosen.length === 0 ? (
        <p className={classes.hint} role="status">
          {words.choose}
        </p>
      ) : null}
    </fieldset>
  );
}
