import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SimplefinApp } from '#client';
import { api } from '../../api/client.ts';
import { Notice } from '../../parts/notice.tsx';
import { SIMPLEFIN } from '../../text/simplefin.ts';
import { ProgramDialog } from './program-dialog.tsx';
import { type ProgramFields, setupTokens, simplefinApps } from './programs.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

type Action = 'edit' | 'revoke';

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
  const edit = useMutation({
    mutationFn: ({ id, program }: { id: string; program: ProgramFields }) =>
      api.simplefinApps.update({ id, ...program }),
    onSuccess,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: SimplefinApp) => api.simplefinApps.revoke({ id }),
    onSuccess,
    onSettled,
  });
  const onClose = () => setAsked(null);
  return {
    ask: (action, app) => {
      edit.reset();
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
      asked === null ? null : asked.action === 'edit' ? (
        <ProgramDialog
          title={SIMPLEFIN.editTitle(asked.app.name)}
          program={asked.app}
          busy={edit.isPending}
          error={edit.error}
          failed={SIMPLEFIN.failedEdit}
          onSave={(program) => edit.mutate({ id: asked.app.id, program })}
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
