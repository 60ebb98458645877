import { useQuery } from '@tanstack/react-query';
import type { Connection } from '#client';
import { syncs } from '../../api/syncs.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { CONNECTIONS } from '../../text/connections.ts';
import classes from './connections.module.css';

interface DeleteDialogProps {
  readonly connection: Connection;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What deleting a connection will do, by name, before it is done. */
export function DeleteDialog({ connection, busy, onConfirm, onClose }: DeleteDialogProps) {
  const { deleting } = CONNECTIONS;
  const { data, error, refetch } = useQuery(syncs);
  const own = new Set(connection.accounts?.map(({ id }) => id));
  const stopped = data?.filter(({ accounts }) => accounts.some((id) => own.has(id))).map(({ name }) => name);
  return (
    <ConfirmDialog
      title={deleting.title(connection.institution.name)}
      action={CONNECTIONS.delete}
      // What it will do has to be said before it can be done.
      busy={busy || (data === undefined && error === null)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{deleting.does}</p>
      <ul className={classes.consequences}>
        <li>{deleting.withdraw}</li>
        <li>{deleting.accounts(own.size)}</li>
        {stopped === undefined ? (
          <li>{error === null ? deleting.looking : deleting.unknown}</li>
        ) : stopped.length === 0 ? null : (
          <li>{deleting.stops(stopped)}</li>
        )}
      </ul>
      {error === null || data !== undefined ? null : (
        <Problem error={error} title={deleting.syncsFailed} again={refetch} />
      )}
      <p>{deleting.stays}</p>
    </ConfirmDialog>
  );
}
