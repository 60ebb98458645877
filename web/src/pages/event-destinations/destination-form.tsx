import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import form from '../../parts/form.module.css';
import { EVENT_DESTINATION_FORM } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { type DestinationDraft, isComplete } from './destination-draft.ts';
import { EventFields } from './event-fields.tsx';

interface DestinationFormProps {
  readonly initial: DestinationDraft;
  readonly action: string;
  readonly busy: boolean;
  readonly onSubmit: (draft: DestinationDraft) => void;
}

/** What an event destination is called, where it is, and what it receives. */
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
