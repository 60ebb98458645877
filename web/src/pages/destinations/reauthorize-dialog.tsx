import { Button } from '@mantine/core';
import type { Destination } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DESTINATION, DESTINATIONS } from '../../text/destinations.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './destinations.module.css';
import { useReconnect } from './use-reconnect.ts';

interface ReauthorizeDialogProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** What signing in again means, before the person leaves for the vendor. */
export function ReauthorizeDialog({ destination, onClose }: ReauthorizeDialogProps) {
  const reconnect = useReconnect(destination);
  const vendor = DESTINATION_KINDS[destination.type].texts.name;
  return (
    <Dialog title={DESTINATION.reauthorize} onClose={onClose}>
      <div className={classes.stack}>
        <p>{DESTINATION.reauthorizeWhy(vendor)}</p>
        <p className={classes.muted}>{DESTINATION_KINDS[destination.type].texts.asks}</p>
        {reconnect.error === null ? null : (
          <Problem error={reconnect.error} title={DESTINATIONS.failed.link(vendor)} />
        )}
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {PROBLEMS.cancel}
        </Button>
        <Button loading={reconnect.busy} onClick={() => reconnect.mutate()}>
          {NEW_DESTINATION.continueTo(vendor)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
