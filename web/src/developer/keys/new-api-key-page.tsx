import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ApiKeysCreateInput } from '#client';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import type { Scope } from '../../../../src/vocabulary/scopes.ts';
import { apiKeys } from '../../api/api-keys.ts';
import { api } from '../../api/client.ts';
import { dayIn } from '../../format/moments.ts';
import form from '../../parts/form.module.css';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { API_KEYS, NEW_API_KEY } from '../../text/api-keys.ts';
import classes from '../developer.module.css';
import { ApiKeySecret } from './api-key-secret.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { askedFor } from './scope-groups.ts';

export function NewApiKeyPage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const create = useMutation({
    mutationFn: async (body: ApiKeysCreateInput) => {
      const { name, secret } = await api.apiKeys.create(body);
      if (secret !== null) setMade({ name, secret });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [apiKeys.queryKey[0]] }),
  });
  return (
    <>
      <Back to={APP_PATHS.apiKeys}>{API_KEYS.title}</Back>
      <Page title={NEW_API_KEY.title}>
        <OwnerOnly scope="keys:write" otherwise="page">
          {create.error === null ? null : <Problem error={create.error} title={API_KEYS.failed.create} />}
          {made === null ? (
            <NewApiKeyForm busy={create.isPending} onCreate={create.mutate} />
          ) : (
            <ApiKeySecret
              title={API_KEYS.secret.created(made.name)}
              secret={made.secret}
              onDone={() => navigate({ to: APP_PATHS.apiKeys })}
            />
          )}
        </OwnerOnly>
      </Page>
    </>
  );
}

/** The state of the form. */
interface NewKeyDraft {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** One address a line. */
  readonly addresses: string;
  /** A day, or nothing. */
  readonly expires: string;
  /** `key=value`, one pair per line. */
  readonly metadata: string;
}

const EMPTY_DRAFT: NewKeyDraft = {
  name: '',
  scopes: new Set(),
  addresses: '',
  expires: '',
  metadata: '',
};

function bodyOf({ name, scopes, addresses, expires, metadata }: NewKeyDraft): ApiKeysCreateInput {
  const allowed = linesOf(addresses);
  const pairs = linesOf(metadata).map(pairOf);
  return {
    name: name.trim(),
    scopes: askedFor(scopes),
    ...(allowed.length > 0 && { allowed_ips: allowed }),
    ...(expires !== '' && { expires_at: `${expires}T23:59:59Z` }),
    ...(pairs.length > 0 && { metadata: Object.fromEntries(pairs) }),
  };
}

/** The first line that is not a pair, or null. */
function lineWithoutPair(metadata: string): string | null {
  return linesOf(metadata).find((line) => line.indexOf('=') < 1) ?? null;
}

function pairOf(line: string): readonly [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface NewApiKeyFormProps {
  readonly busy: boolean;
  readonly onCreate: (body: ApiKeysCreateInput) => void;
}

function NewApiKeyForm({ busy, onCreate }: NewApiKeyFormProps) {
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
