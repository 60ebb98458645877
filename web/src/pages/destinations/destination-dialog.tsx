import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination, Sync } from '#client';
import { api } from '../../api/client.ts';
import { destination as destinationQuery, destinations } from '../../api/destinations.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATION, DESTINATIONS } from '../../text/destinations.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ReauthorizeDialog } from './reauthorize-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretForm } from './secret-form.tsx';
import { TargetDialog } from './target-dialog.tsx';

export type DialogName = 'rename' | 'address' | 'secret' | 'target' | 'reauthorize' | 'rotate' | 'delete';

interface DestinationDialogProps {
  readonly name: DialogName;
  readonly destination: Destination;
  /** The syncs that write to it. */
  readonly syncs: readonly Sync[];
  readonly onDone: (done: { readonly title: string; readonly text: string }) => void;
  readonly onClose: () => void;
}

const MOST_NAME = 200;
const MOST_ADDRESS = 2048;

/** What a person is asked before a destination changes. */
export function DestinationDialog({ name, destination, syncs, onDone, onClose }: DestinationDialogProps) {
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
          beside={
            <Button variant="default" onClick={onClose}>
              {PROBLEMS.cancel}
            </Button>
          }
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
        onDeleted={() => navigate({ to: PATHS.destinations, search: {} })}
        onClose={onClose}
      />
    ),
  };
  return dialogs[name]();
}
