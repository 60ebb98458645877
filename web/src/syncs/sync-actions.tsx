import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Sync, SyncRun } from '#client';
import { api } from '../api/client.ts';
import { syncs, updateSync } from '../api/syncs.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/page-states.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { offerUndo } from '../parts/undo.tsx';
import { SYNCS } from '../text/syncs.ts';
import classes from './syncs.module.css';

export interface SyncActions {
  readonly busy: boolean;
  readonly run: () => void;
  readonly toggle: () => void;
  readonly askToDelete: () => void;
  /** Why the last action failed, to show above its subject. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What follows if its page is still shown. */
interface Following {
  readonly onStarted?: (run: SyncRun) => void;
  readonly onDeleted?: () => void;
}

/** What can be done with a sync, and how it goes. */
export function useSyncActions(
  { id, name, status, enabled, destination }: Sync,
  { onStarted, onDeleted }: Following = {},
): SyncActions {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { failed, done } = SYNCS;
  const onSettled = () => queries.invalidateQueries({ queryKey: syncs.queryKey });
  const stillHere = useStillHere();
  const run = useMutation({
    mutationFn: () => api.syncs.run({ id }),
    onMutate: stillHere,
    onSuccess: (started, _, isHere) => {
      if (isHere()) onStarted?.(started);
    },
    onSettled,
  });
  const toggle = useMutation({
    mutationFn: (on: boolean) => updateSync({ id, enabled: on }),
    onSuccess: ({ enabled: on }) =>
      offerUndo({
        title: on ? done.resume(name) : done.pause(name),
        text: on ? done.resumeText : done.pauseText,
        undo: async (undoing) => {
          await updateSync({ id, enabled: !on }, undoing);
          await onSettled();
        },
        failed: on ? failed.pause(name) : failed.resume(name),
      }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => api.syncs.delete({ id }),
    onMutate: stillHere,
    onSuccess: (_, _asked, isHere) => {
      setAsking(false);
      queries.setQueryData(syncs.queryKey, (known) => known?.filter((one) => one.id !== id));
      queries.removeQueries({ queryKey: ['syncs', id] });
      if (isHere()) onDeleted?.();
    },
    onError: () => setAsking(false),
    onSettled: () => {
      queries.invalidateQueries({ queryKey: syncs.queryKey, exact: true });
      queries.invalidateQueries({ queryKey: ['destinations'] });
    },
  });
  const start = (action: () => void) => () => {
    for (const one of [run, toggle, remove]) one.reset();
    action();
  };
  const failures = [
    { error: run.error, title: failed.run(name) },
    { error: toggle.error, title: toggle.variables === true ? failed.resume(name) : failed.pause(name) },
    { error: remove.error, title: failed.delete(name) },
  ].filter(({ error }) => error !== null);
  const outcome =
    failures.length === 0
      ? null
      : failures.map(({ error, title }) => <Problem key={title} error={error} title={title} />);
  return {
    busy: run.isPending || toggle.isPending || status === 'running',
    run: start(run.mutate),
    toggle: start(() => toggle.mutate(!enabled)),
    askToDelete: start(() => setAsking(true)),
    outcome,
    dialog: asking ? (
      <DeleteSyncDialog
        name={name}
        destination={destination.name}
        busy={remove.isPending}
        onConfirm={remove.mutate}
        onClose={() => setAsking(false)}
      />
    ) : null,
  };
}

interface DeleteSyncDialogProps {
  readonly name: string;
  readonly destination: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function DeleteSyncDialog({ name, destination, ...dialog }: DeleteSyncDialogProps) {
  const { title, does, history, stops, stays, again } = SYNCS.deleting;
  return (
    <ConfirmDialog title={title(name)} action={SYNCS.delete} {...dialog}>
      <p>{does}</p>
      <ul className={classes.does}>
        <li>{history}</li>
        <li>{stops}</li>
      </ul>
      <p>{stays(destination)}</p>
      <p>{again}</p>
    </ConfirmDialog>
  );
}
