import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination, Sync } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { api } from '../api/client.ts';
import { destination as destinationQuery, destinations } from '../api/destinations.ts';
import { CancelButton, Dialog, DialogActions } from '../parts/dialog.tsx';
import { Problem } from '../parts/page-states.tsx';
import type { StillHere } from '../parts/still-here.ts';
import { DESTINATION, DESTINATIONS } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';
import { NEW_DESTINATION } from '../text/new-destination.ts';
import { PROBLEMS } from '../text/problems.ts';
import { ChangeDialog, DeleteDialog } from './change-dialogs.tsx';
import { useReconnect } from './destination-actions.tsx';
import classes from './destinations.module.css';
import { SecretForm } from './secret-form.tsx';
import { TargetPicker } from './target-picker.tsx';
import { SecretOnce } from './webhook-form.tsx';

export type DialogName = 'rename' | 'address' | 'secret' | 'target' | 'reauthorize' | 'rotate' | 'delete';

interface DestinationDialogProps {
  readonly name: DialogName;
  readonly destination: Destination;
  /** The syncs that write to it. */
  readonly syncs: readonly Sync[];
  /** Of the page, which is there no more once it is deleted, even if the dialog was closed before. */
  readonly stillHere: StillHere;
  readonly onDone: (done: { readonly title: string; readonly text: string }) => void;
  readonly onClose: () => void;
}

const MOST_NAME = 200;
const MOST_ADDRESS = 2048;

/** What a person is asked before a destination changes. */
export function DestinationDialog(props: DestinationDialogProps) {
  const { name, destination, syncs, stillHere, onDone, onClose } = props;
  const { id, type, target } = destination;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { failed } = DESTINATIONS;
  const changed = (title: string, text: string) => (now: Destination) => {
    queries.setQueryData(destinationQuery(id).queryKey, now);
    void queries.invalidateQueries({ queryKey: destinations.queryKey, exact: true });
    onDone({ title, text });
    onClose();
  };
  const dialogs: Readonly<Record<DialogName, () => ReactNode>> = {
    rename: () => (
      <ChangeDialog
        title={DESTINATION.rename}
        label={DESTINATION.name}
        before={destination.name}
        most={MOST_NAME}
        missing={DESTINATION.nameMissing}
        failed={failed.rename(destination.name)}
        save={(text) => api.destinations.update({ id, name: text })}
        onDone={changed(DESTINATION.renamed, DESTINATION.renamedText)}
        onClose={onClose}
      />
    ),
    address: () => (
      <ChangeDialog
        title={DESTINATION.address}
        text={DESTINATION.addressText}
        label={DESTINATION.addressLabel}
        before={target.url ?? ''}
        most={MOST_ADDRESS}
        missing={DESTINATION.addressMissing}
        failed={failed.address}
        save={(url) => api.destinations.update({ id, target: { url } })}
        onDone={changed(DESTINATION.moved, DESTINATION.movedText)}
        onClose={onClose}
      />
    ),
    secret: () => (
      <Dialog title={DESTINATION.replaceSecret} onClose={onClose}>
        <SecretForm
          type={type}
          action={PROBLEMS.save}
          failed={failed.secret}
          save={(secret) => api.destinations.update({ id, secret })}
          onDone={changed(DESTINATION.secretReplaced, DESTINATION.secretReplacedText)}
          beside={<CancelButton onClose={onClose} />}
        />
      </Dialog>
    ),
    target: () => (
      <TargetDialog
        destination={destination}
        syncs={syncs}
        onDone={changed(DESTINATION.moved, DESTINATION.movedText)}
        onClose={onClose}
      />
    ),
    reauthorize: () => <ReauthorizeDialog destination={destination} onClose={onClose} />,
    rotate: () => <RotateDialog destination={destination} onClose={onClose} />,
    delete: () => (
      <DeleteDialog
        destination={destination}
        syncs={syncs}
        stillHere={stillHere}
        onDeleted={() => navigate({ to: APP_PATHS.destinations, search: {} })}
        onClose={onClose}
      />
    ),
  };
  return dialogs[name]();
}

interface TargetDialogProps {
  readonly destination: Destination;
  readonly syncs: readonly Sync[];
  readonly onDone: (aimed: Destination) => void;
  readonly onClose: () => void;
}

/** Moves a destination to another place, or says why it cannot be moved. */
function TargetDialog({ destination, syncs, onDone, onClose }: TargetDialogProps) {
  const fixed = destination.sync_count > 0;
  return (
    <Dialog title={DESTINATION.changeTarget} onClose={onClose}>
      <div className={classes.form}>
        <p>{fixed ? DESTINATION.targetFixed(syncs.map(({ name }) => name)) : DESTINATION.changeTargetText}</p>
        {fixed ? null : <TargetPicker destination={destination} onDone={onDone} />}
      </div>
      <DialogActions>
        <CancelButton onClose={onClose} label={fixed ? PROBLEMS.close : PROBLEMS.cancel} />
      </DialogActions>
    </Dialog>
  );
}

interface ReauthorizeDialogProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** What signing in again means, before the person leaves for the vendor. */
function ReauthorizeDialog({ destination, onClose }: ReauthorizeDialogProps) {
  const reconnect = useReconnect(destination);
  const vendor = destinationTexts(destination.type).name;
  return (
    <Dialog title={DESTINATION.reauthorize} onClose={onClose}>
      <div className={classes.stack}>
        <p>{DESTINATION.reauthorizeWhy(vendor)}</p>
        <p className={classes.muted}>{destinationTexts(destination.type).asks}</p>
        {reconnect.error === null ? null : (
          <Problem error={reconnect.error} title={DESTINATIONS.failed.link(vendor)} />
        )}
      </div>
      <DialogActions>
        <CancelButton onClose={onClose} />
        <Button loading={reconnect.busy} onClick={() => reconnect.mutate()}>
          {NEW_DESTINATION.continueTo(vendor)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface RotateDialogProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** Replaces the signing secret of a webhook, and shows the new one this once. */
function RotateDialog({ destination, onClose }: RotateDialogProps) {
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
            <CancelButton onClose={onClose} />
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
