import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ApiKeysCreateInput } from '#client';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { dayIn } from '../../format/moments.ts';
import form from '../../parts/form.module.css';
import { API_KEYS, NEW_API_KEY } from '../../text/api-keys.ts';
import classes from '../developer/developer.module.css';
import { bodyOf, EMPTY_DRAFT, lineWithoutPair, type NewKeyDraft } from './new-key-draft.ts';
import { ScopeFields } from './scope-fields.tsx';

interface NewApiKeyFormProps {
  readonly busy: boolean;
  readonly onCreate: (body: ApiKeysCreateInput) => void;
}

export function NewApiKeyForm({ busy, onCreate }: NewApiKeyFormProps) {
  const [draft, setDraft] = useState<NewKeyDraft>(EMPTY_DRAFT);
  const change = (part: Partial<NewKeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const wrong = lineWithoutPair(draft.metadata);
  const complete = draft.name.trim() !== '' && draft.scopes.size > 0 && wrong === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete) onCreate(bodyOf(draft));
  };
  return (
    <form className={`${form.form} ${classes.form}`} onSubmit={submit}>
      <TextInput
        label={NEW_API_KEY.name}
        description={NEW_API_KEY.nameHint}
        value={draft.name}
        maxLength={FIXED_LIMITS.key_name_characters}
        autoComplete="off"
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <ScopeFields chosen={draft.scopes} onChange={(scopes) => change({ scopes })} />
      <Textarea
        label={NEW_API_KEY.addresses}
        description={NEW_API_KEY.addressesHint}
        rows={3}
        value={draft.addresses}
        spellCheck={false}
        onChange={({ currentTarget }) => change({ addresses: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={NEW_API_KEY.expires}
        description={NEW_API_KEY.expiresHint}
        value={draft.expires}
        min={dayIn('UTC')}
        onChange={({ currentTarget }) => change({ expires: currentTarget.value })}
      />
      <Textarea
        label={NEW_API_KEY.metadata}
        description={NEW_API_KEY.metadataHint}
        rows={2}
        value={draft.metadata}
        error={wrong === null ? null : NEW_API_KEY.metadataInvalid(wrong)}
        spellCheck={false}
        onChange={({ currentTarget }) => change({ metadata: currentTarget.value })}
      />
      <div className={form.actions}>
        <Button type="submit" loading={busy} disabled={!complete}>
          {API_KEYS.create}
        </Button>
      </div>
    </form>
  );
}
