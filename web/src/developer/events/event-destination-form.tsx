import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { EVENT_KIND_NAMES } from '../../../../src/vocabulary/event-kinds.ts';
import { EVENT_FAMILIES, type EventSelector } from '../../../../src/vocabulary/event-selectors.ts';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { Check } from '../../parts/fields.tsx';
import form from '../../parts/form.module.css';
import { EVENT_DESTINATION_FORM } from '../../text/events.ts';
import classes from '../developer.module.css';
import {
  type DestinationDraft,
  EVERYTHING,
  familyOf,
  isComplete,
  isCovered,
  withSelector,
} from './event-destination-draft.ts';
import { nounWords, whenWords } from './event-row.tsx';
import eventsClasses from './events.module.css';

interface DestinationFormProps {
  readonly initial: DestinationDraft;
  readonly action: string;
  readonly busy: boolean;
  readonly onSubmit: (draft: DestinationDraft) => void;
}

/** The name, the address and the events of an event destination. */
export function DestinationForm({ initial, action, busy, onSubmit }: DestinationFormProps) {
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<DestinationDraft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete(draft)) onSubmit(draft);
  };
  return (
    <form className={`${form.form} ${classes.form}`} onSubmit={submit}>
      <TextInput
        label={EVENT_DESTINATION_FORM.name}
        description={EVENT_DESTINATION_FORM.nameHint}
        value={draft.name}
        maxLength={FIXED_LIMITS.name_characters}
        autoComplete="off"
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        type="url"
        label={EVENT_DESTINATION_FORM.url}
        description={EVENT_DESTINATION_FORM.urlHint}
        placeholder={EVENT_DESTINATION_FORM.urlExample}
        value={draft.url}
        maxLength={FIXED_LIMITS.url_characters}
        spellCheck={false}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
      />
      <EventFields chosen={draft.events} onChange={(events) => change({ events })} />
      <div className={form.actions}>
        <Button type="submit" loading={busy} disabled={!isComplete(draft)}>
          {action}
        </Button>
      </div>
    </form>
  );
}

interface EventFieldsProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly EventSelector[]) => void;
}

/** Which events are sent: everything, whole families, or single kinds, each with when it happens. */
function EventFields({ chosen, onChange }: EventFieldsProps) {
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
    <fieldset className={eventsClasses.events}>
      <legend className={eventsClasses.legend}>{words.events}</legend>
      <p className={eventsClasses.hint}>{words.eventsHint}</p>
      <div className={form.groups}>
        <div>{box(EVERYTHING, words.everything)}</div>
        {chosen.includes(EVERYTHING)
          ? null
          : EVENT_FAMILIES.map((family) => (
              <div key={family}>
                {box(family, words.family(nounWords(family)))}
                <div className={eventsClasses.kinds}>
                  {EVENT_KIND_NAMES.filter((kind) => familyOf(kind) === family).map((kind) => (
                    <div key={kind}>{box(kind, kind, whenWords(kind))}</div>
                  ))}
                </div>
              </div>
            ))}
      </div>
      {chosen.length === 0 ? (
        <p className={eventsClasses.hint} role="status">
          {words.choose}
        </p>
      ) : null}
    </fieldset>
  );
}
