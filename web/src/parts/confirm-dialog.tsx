import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import classes from './dialog.module.css';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, action, busy, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={classes.text}>{children}</div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {PROBLEMS.cancel}
        </Button>
        <Button color="red" loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
