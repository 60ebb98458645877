import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiKey } from '#client';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { apiKeys } from '../../api/api-keys.ts';
import { api } from '../../api/client.ts';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { API_KEYS } from '../../text/api-keys.ts';
import { DEVELOPER } from '../../text/developer.ts';
import { ApiKeySecret } from './api-key-secret.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

type Action = 'rename' | 'rotate' | 'revoke';

export interface ApiKeyActions {
  readonly start: (action: Action, key: ApiKey) => void;
  /** The result of the last action, for the top of the page. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with API keys, and how it goes. */
export function useApiKeyActions(): ApiKeyActions {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ readonly action: Action; readonly key: ApiKey } | null>(null);
  const [rotated, setRotated] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const onSuccess = () => setAsked(null);
  const onSettled = () => queries.invalidateQueries({ queryKey: [apiKeys.queryKey[0]] });
  const rename = useMutation({
    mutationFn: ({ key, name }: { key: ApiKey; name: string }) => api.apiKeys.update({ id: key.id, name }),
    onSuccess,
    onSettled,
  });
  const rotate = useMutation({
    mutationFn: async ({ key, grace }: { key: ApiKey; grace: string }) => {
      const { name, secret } = await api.apiKeys.rotate({ id: key.id, grace });
      if (secret !== null) setRotated({ name, secret });
    },
    onSuccess,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => api.apiKeys.revoke({ id }),
    onSuccess,
    onSettled,
  });
  const close = () => setAsked(null);

  return {
    start: (action, key) => {
      for (const one of [rename, rotate, revoke]) one.reset();
      setAsked({ action, key });
    },
    outcome:
      rotated !== null ? (
        <ApiKeySecret
          title={API_KEYS.secret.rotated(rotated.name)}
          secret={rotated.secret}
          onDone={() => setRotated(null)}
        />
      ) : revoke.isSuccess ? (
        <Notice
          tone="good"
          title={API_KEYS.revoked(revoke.variables.name)}
          text={API_KEYS.revokedText}
          onClose={revoke.reset}
        />
      ) : null,
    dialog:
      asked === null ? null : asked.action === 'rename' ? (
        <NameDialog
          title={DEVELOPER.renameTitle(asked.key.name)}
          label={DEVELOPER.name}
          name={asked.key.name}
          maxLength={FIXED_LIMITS.key_name_characters}
          busy={rename.isPending}
          error={rename.error}
          failed={API_KEYS.failed.rename}
          onSave={(name) => rename.mutate({ key: asked.key, name })}
          onClose={close}
        />
      ) : asked.action === 'rotate' ? (
        <RotateDialog
          apiKey={asked.key}
          busy={rotate.isPending}
          error={rotate.error}
          onConfirm={(grace) => rotate.mutate({ key: asked.key, grace })}
          onClose={close}
        />
      ) : (
        <RevokeDialog
          apiKey={asked.key}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(asked.key)}
          onClose={close}
        />
      ),
  };
}
