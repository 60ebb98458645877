import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKeysCreateInput } from '#client';
import { apiKeys } from '../../api/api-keys.ts';
import { api } from '../../api/client.ts';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { API_KEYS, NEW_API_KEY } from '../../text/api-keys.ts';
import { ApiKeySecret } from './api-key-secret.tsx';
import { NewApiKeyForm } from './new-api-key-form.tsx';

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
      <Back to={PATHS.apiKeys}>{API_KEYS.title}</Back>
      <Page title={NEW_API_KEY.title}>
        <OwnerOnly scope="keys:write" otherwise="page">
          {create.error === null ? null : <Problem error={create.error} title={API_KEYS.failed.create} />}
          {made === null ? (
            <NewApiKeyForm busy={create.isPending} onCreate={create.mutate} />
          ) : (
            <ApiKeySecret
              title={API_KEYS.secret.created(made.name)}
              secret={made.secret}
              onDone={() => navigate({ to: PATHS.apiKeys })}
            />
          )}
        </OwnerOnly>
      </Page>
    </>
  );
}
