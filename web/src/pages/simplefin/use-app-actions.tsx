import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type ProgramFields,
  revokeSimplefinApp,
  type SimplefinApp,
  setupTokens,
  simplefinApps,
  updateSimplefinApp,
} from '../../api/simplefin.ts';
import { Notice } from '../../parts/notice.tsx';
import { SIMPLEFIN } from '../../text/simplefin.ts';
import { ProgramDialog } from './program-dialog.tsx';
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
    mutationFn: ({ id, program }: { id: string; program: ProgramFields }) => updateSimplefinApp(id, program),
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
