import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Destination } from '#client';
import { api } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DESTINATIONS } from '../../text/destinations.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './destinations.module.css';
import { SecretOnce } from './secret-once.tsx';

interface RotateDialogProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** Replaces the signing secret of a webhook, and shows the new one this once. */
export function RotateDialog({ destination, onClose }: RotateDialogProps) {
  const rotate = useMutation({
    mutationFn: () => api.destinations.rotateSecret({ id: destination.id }),
    // The answer has the secret: it is not held longer than it is shown.
    gcTime: 0,
  });
  const secret = rotate.data?.config?.signing_secret;
  const words = NEW_DESTINATION.secret;
  return (
    <Dialog title={secret === undefined ? words.rotateTitle : words.newTitle} onClose={onClose}>
      <div className={classes.stack}>
        {secret === undefined ? <p>{words.rotateText}</p> : <SecretOnce secret={secret} />}
        <p>{words.overlap}</p>
        {rotate.error === null ? null : <Problem error={rotate.error} title={DESTINATIONS.failed.rotate} />}
      </div>
      <DialogActions>
        {secret === undefined ? (
          <>
            <Button variant="default" onClick={onClose}>
              {PROBLEMS.cancel}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
              {words.rotate}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{words.done}</Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
