import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import {
  renameSimplefinApp,
  revokeSimplefinApp,
  type SimplefinApp,
  setupTokens,
  simplefinApps,
} from '../../api/simplefin.ts';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { DEVELOPER } from '../../text/developer.ts';
import { SIMPLEFIN } from '../../text/simplefin.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

type Action = 'rename' | 'revoke';

interface AppActions {
  readonly ask: (action: Action, app: SimplefinApp) => void;
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with a program, and how it goes. */
export function useAppActions(): AppActions {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ readonly action: Action; readonly app: SimplefinApp } | null>(null);
  const onSuccess = () => setAsked(null);
  const onSettled = () =>
    Promise.all([simplefinApps, setupTokens].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => renameSimplefinApp(id, name),
    onSuccess,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: SimplefinApp) => revokeSimplefinApp(id),
    onSuccess,
    onSettled,
  });
  const onClose = () => setAsked(null);
  return {
    ask: (action, app) => {
      rename.reset();
      revoke.reset();
      setAsked({ action, app });
    },
    outcome: revoke.isSuccess ? (
      <Notice
        tone="good"
        title={SIMPLEFIN.revoked(revoke.variables.name)}
        text={SIMPLEFIN.revokedText}
        onClose={revoke.reset}
      />
    ) : null,
    dialog:
      asked === null ? null : asked.action === 'rename' ? (
        <NameDialog
          title={DEVELOPER.renameTitle(asked.app.name)}
          label={DEVELOPER.name}
          name={asked.app.name}
          maxLength={FIXED_LIMITS.key_name_characters}
          busy={rename.isPending}
          error={rename.error}
          failed={SIMPLEFIN.failedRename}
          onSave={(name) => rename.mutate({ id: asked.app.id, name })}
          onClose={onClose}
        />
      ) : (
        <RevokeDialog
          words={SIMPLEFIN.revokingApp}
          name={asked.app.name}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(asked.app)}
          onClose={onClose}
        />
      ),
  };
}
