import { Button } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import { abandonWrites, writesBegun } from '../api/open-writes.ts';
import { PROBLEMS } from '../text/problems.ts';
import classes from './dialog.module.css';
import { focusReturn } from './focus-return.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether what it has begun goes on when it is closed. */
  readonly continues?: boolean;
  readonly children: ReactNode;
}

/** Gives up what a dialog has asked for and the service has not taken. */
const GiveUp = createContext((): void => undefined);

/**
 * A question in front of the page. The browser's own dialog keeps the focus inside and closes on Escape; `focusReturn`
 * decides where the focus goes then. Its buttons go into `DialogActions`; closing it gives up writes that still wait.
 */
export function Dialog({ title, onClose, continues = false, children }: DialogProps) {
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
  const [before] = useState(writesBegun);
  const giveUp = () => {
    if (!continues) abandonWrites(before);
  };
  const close = () => {
    giveUp();
    onClose();
  };
  return (
    <dialog className={classes.dialog} ref={dialog} aria-labelledby={id} onClose={close}>
      <h2 className={classes.title} id={id}>
        {title}
      </h2>
      <GiveUp value={giveUp}>{children}</GiveUp>
    </dialog>
  );
}

interface CancelButtonProps {
  readonly onClose: () => void;
  /** In place of "Cancel". */
  readonly label?: string;
}

/** The button of a dialog that closes it and gives up what still waits. */
export function CancelButton({ onClose, label = PROBLEMS.cancel }: CancelButtonProps) {
  const giveUp = use(GiveUp);
  return (
    <Button
      variant="default"
      onClick={() => {
        giveUp();
        onClose();
      }}
    >
      {label}
    </Button>
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
        <CancelButton onClose={onClose} />
        <Button color="red" loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
