import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Document } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { api } from '../api/client.ts';
import { documentFile, useRowsChanged } from '../api/documents.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/page-states.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useStillHere } from '../parts/still-here.ts';
import { offerUndo } from '../parts/undo.tsx';
import { STATEMENT_FILES } from '../text/statement-files.ts';

export interface DocumentActions {
  readonly busy: 'take' | 'undo' | 'download' | null;
  readonly take: () => void;
  readonly undo: () => void;
  readonly download: () => void;
  readonly askToDelete: () => void;
  /** Why the last action failed, to show above its subject. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with a statement file. `onGone` runs once it is taken or deleted, if its page is still shown. */
export function useDocumentActions(shown: Document, onGone?: () => void): DocumentActions {
  const { id, name } = shown;
  const rowsChanged = useRowsChanged();
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const [asking, setAsking] = useState(false);
  const { failed, done } = STATEMENT_FILES;
  const take = useMutation({
    mutationFn: () => api.documents.take({ id }),
    onMutate: stillHere,
    onSuccess: ({ parts }, _, isHere) => {
      const [first] = parts;
      offerUndo({
        title: done.taken(name),
        text: done.takenText(rowsOf(parts)),
        undo: async (undoing) => {
          await undoing.documents.undo({ id });
          await rowsChanged();
        },
        failed: failed.undo(name),
        ...(first !== undefined &&
          parts.length === 1 && {
            also: {
              label: done.account,
              onClick: () => navigate({ to: APP_PATHS.account, params: { id: first.account } }),
            },
          }),
      });
      if (isHere()) onGone?.();
    },
    onSettled: rowsChanged,
  });
  const undo = useMutation({ mutationFn: () => api.documents.undo({ id }), onSettled: rowsChanged });
  const download = useMutation({ mutationFn: () => documentFile(id), onSuccess: saveFile });
  const remove = useMutation({
    mutationFn: () => api.documents.delete({ id }),
    onMutate: stillHere,
    onSuccess: (_, _asked, isHere) => {
      setAsking(false);
      if (isHere()) onGone?.();
    },
    onError: () => setAsking(false),
    onSettled: rowsChanged,
  });
  const failures = [
    { error: take.error, title: failed.take(name) },
    { error: undo.error, title: failed.undo(name) },
    { error: download.error, title: failed.download(name) },
    { error: remove.error, title: failed.delete(name) },
  ].filter(({ error }) => error !== null);
  const start = (action: () => void) => () => {
    for (const one of [take, undo, download, remove]) one.reset();
    action();
  };
  return {
    busy: take.isPending ? 'take' : undo.isPending ? 'undo' : download.isPending ? 'download' : null,
    take: start(take.mutate),
    undo: start(undo.mutate),
    download: start(download.mutate),
    askToDelete: start(() => setAsking(true)),
    outcome: failures.map(({ error, title }) => <Problem key={title} error={error} title={title} />),
    dialog: asking ? (
      <ConfirmDialog
        title={STATEMENT_FILES.deleting.title(name)}
        action={STATEMENT_FILES.delete}
        busy={remove.isPending}
        onConfirm={remove.mutate}
        onClose={() => setAsking(false)}
      >
        <p>{STATEMENT_FILES.deleting.text}</p>
        {shown.status === 'taken' ? <p>{STATEMENT_FILES.deleting.rows(rowsOf(shown.parts))}</p> : null}
      </ConfirmDialog>
    ) : null,
  };
}

/** How many rows of a document are shown. */
export function rowsOf(parts: Document['parts']): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}
