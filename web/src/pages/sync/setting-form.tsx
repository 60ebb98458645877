import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import type { Sync } from '#client';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PROBLEMS } from '../../text/problems.ts';
import { SYNCS } from '../../text/syncs.ts';
import classes from './sync.module.css';

export interface SettingProps {
  readonly sync: Sync;
  readonly onClose: () => void;
}

interface FormProps {
  readonly title: string;
  readonly fit?: boolean;
  /** What is sent to v2. */
  readonly save: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The frame of every setting: its fields, what v2 refused of them, and the way out. */
export function SettingForm({ title, fit = true, save, onClose, children }: FormProps) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: save,
    onSuccess: onClose,
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['syncs'] });
      queries.invalidateQueries({ queryKey: ['category-mappings'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fit) change.mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {change.error === null ? null : <Problem error={change.error} title={SYNCS.failed.save} />}
        {children}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {PROBLEMS.cancel}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={!fit}>
            {PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
