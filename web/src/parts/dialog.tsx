import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import classes from './dialog.module.css';
import { focusReturn } from './focus-return.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A question in front of the page. The browser's own dialog keeps the focus inside and closes on Escape; `focusReturn`
 * decides where the focus goes then. Its buttons go into `DialogActions`.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the dialog is shown: the menu that asks for it closes at the same time.
  const [asked] = useState(focusReturn);
  useEffect(() => {
    const shown = dialog.current;
    // One dialog after another: the first has given the focus back by now.
    const { giveBack } = asked.opener?.isConnected === true ? asked : focusReturn();
    shown?.showModal();
    return () => {
      shown?.close();
      giveBack();
    };
  }, [asked]);
  return (
    <dialog className={classes.dialog} ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 className={classes.title} id={id}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

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
