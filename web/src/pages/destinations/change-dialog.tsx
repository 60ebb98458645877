import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Destination } from '#client';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './destinations.module.css';

interface ChangeDialogProps {
  readonly title: string;
  readonly text?: string;
  readonly label: string;
  readonly before: string;
  readonly most: number;
  /** Said where nothing is written. */
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
          <Button variant="default" onClick={onClose}>
            {PROBLEMS.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
