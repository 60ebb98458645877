import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, type Destination, type Sync } from '#client';
import { api } from '../api/client.ts';
import { destinations } from '../api/destinations.ts';
import { syncs as syncsQuery } from '../api/syncs.ts';
import { CancelButton, ConfirmDialog, Dialog, DialogActions } from '../parts/dialog.tsx';
import { Problem } from '../parts/page-states.tsx';
import type { StillHere } from '../parts/still-here.ts';
import { DESTINATION, DESTINATIONS } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';
import { PROBLEMS } from '../text/problems.ts';
import classes from './destinations.module.css';

interface ChangeDialogProps {
  readonly title: string;
  readonly text?: string;
  readonly label: string;
  readonly before: string;
  readonly most: number;
  /** Shown if nothing is written. */
  readonly missing: string;
  readonly failed: string;
  readonly save: (text: string) => Promise<Destination>;
  readonly onDone: (changed: Destination) => void;
  readonly onClose: () => void;
}

/** Changes one text of a destination. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, text, label, before, most, missing, failed, save, onDone, onClose } = props;
  const [value, setValue] = useState(before);
  const [complain, setComplain] = useState(false);
  const change = useMutation({ mutationFn: () => save(value.trim()), onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setComplain(value.trim() === '');
    if (value.trim() !== '') change.mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {text === undefined ? null : <p className={classes.muted}>{text}</p>}
        <TextInput
          label={label}
          value={value}
          maxLength={most}
          autoComplete="off"
          error={complain && value.trim() === '' ? missing : undefined}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
        {change.error === null ? null : <Problem error={change.error} title={failed} />}
        <DialogActions>
          <CancelButton onClose={onClose} />
          <Button type="submit" loading={change.isPending}>
            {PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  readonly destination: Destination;
  /** The syncs that write to it. */
  readonly syncs: readonly Sync[];
  readonly stillHere: StillHere;
  readonly onDeleted: () => unknown;
  readonly onClose: () => void;
}

/** The consequences of deleting a destination, shown before it is done. */
export function DeleteDialog({ destination, syncs, stillHere, onDeleted, onClose }: DeleteDialogProps) {
  const { id, name, type, sync_count: count } = destination;
  const queries = useQueryClient();
  const { deleting } = DESTINATION;
  const remove = useMutation({
    mutationFn: () => api.destinations.delete({ id }),
    onMutate: stillHere,
    onSuccess: async (_, _asked, isHere) => {
      if (isHere()) await onDeleted();
      queries.setQueryData(destinations.queryKey, (known) => known?.filter((one) => one.id !== id));
      await Promise.all(
        [destinations.queryKey, syncsQuery.queryKey].map((queryKey) =>
          queries.invalidateQueries({ queryKey, exact: true }),
        ),
      );
    },
  });
  const isRunning = remove.error instanceof ApiError && remove.error.code === 'destination_in_use';
  return (
    <ConfirmDialog
      title={deleting.title(name)}
      action={DESTINATION.delete}
      busy={remove.isPending}
      onConfirm={remove.mutate}
      onClose={onClose}
    >
      <p>{deleting.does}</p>
      <ul className={classes.consequences}>
        {syncs.length > 0 ? (
          <li>{deleting.stops(syncs.map((sync) => sync.name))}</li>
        ) : count > 0 ? (
          <li>{deleting.stopsUnnamed(count)}</li>
        ) : null}
        <li>{destinationTexts(type).ends}</li>
      </ul>
      <p>{deleting.stays}</p>
      {remove.error === null ? null : (
        <>
          <Problem error={remove.error} title={DESTINATIONS.failed.delete(name)} />
          {isRunning ? <p>{deleting.running}</p> : null}
        </>
      )}
    </ConfirmDialog>
  );
}
