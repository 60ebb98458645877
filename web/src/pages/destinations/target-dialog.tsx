import { Button } from '@mantine/core';
import type { Destination, Sync } from '#client';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { DESTINATION } from '../../text/destinations.ts';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './destinations.module.css';
import { TargetPicker } from './target-picker.tsx';

interface TargetDialogProps {
  readonly destination: Destination;
  readonly syncs: readonly Sync[];
  readonly onDone: (aimed: Destination) => void;
  readonly onClose: () => void;
}

/** Moves a destination to another place, or says why it cannot be moved. */
export function TargetDialog({ destination, syncs, onDone, onClose }: TargetDialogProps) {
  const fixed = destination.sync_count > 0;
  return (
    <Dialog title={DESTINATION.changeTarget} onClose={onClose}>
      <div className={classes.form}>
        <p>{fixed ? DESTINATION.targetFixed(syncs.map(({ name }) => name)) : DESTINATION.changeTargetText}</p>
        {fixed ? null : <TargetPicker destination={destination} onDone={onDone} />}
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {fixed ? PROBLEMS.close : PROBLEMS.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
