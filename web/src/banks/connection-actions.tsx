import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Connection } from '#client';
import { api } from '../api/client.ts';
import { connections, returnUrl } from '../api/connections.ts';
import { heldRows } from '../api/held-rows.ts';
import { refreshBank } from '../api/refresh-bank.ts';
import { syncs } from '../api/syncs.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/page-states.tsx';
import { RefreshNotice } from '../parts/refresh-notice.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { CONNECTIONS } from '../text/connections.ts';
import { providerTexts } from '../text/kinds.ts';
import classes from './connections.module.css';

export interface ConnectionActions {
  readonly busy: 'reauthorize' | 'refresh' | null;
  readonly reauthorize: () => void;
  readonly refresh: () => void;
  readonly askToDelete: () => void;
  /** The result of the last action, to show above its subject. */
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with a connection, and how it goes. `onDeleted` runs once it is gone, if its page is still shown. */
export function useConnectionActions(connection: Connection, onDeleted?: () => void): ConnectionActions {
  const { id, institution, provider } = connection;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const stillHere = useStillHere();
  const reauthorize = useMutation({
    mutationFn: () => api.connections.reauthorize({ id, return_url: returnUrl('connections', provider) }),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  const readAgain = () => {
    heldRows.forget();
    return queries.invalidateQueries();
  };
  const refresh = useMutation({
    mutationFn: () => refreshBank(connection),
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: () => api.connections.delete({ id }),
    onMutate: stillHere,
    onSuccess: (_, _asked, isHere) => {
      setAsking(false);
      queries.setQueryData(connections.queryKey, (known) => known?.filter((one) => one.id !== id));
      if (isHere()) onDeleted?.();
    },
    onError: () => setAsking(false),
    onSettled: readAgain,
  });

  const { failed } = CONNECTIONS;
  const failures = [
    { error: reauthorize.error, title: failed.reauthorize(institution.name) },
    { error: refresh.error, title: failed.refresh(institution.name) },
    { error: remove.error, title: failed.delete(institution.name) },
  ].filter(({ error }) => error !== null);
  const outcome =
    failures.length > 0 ? (
      failures.map(({ error, title }) => <Problem key={title} error={error} title={title} />)
    ) : refresh.data === undefined ? null : (
      <RefreshNotice bank={institution.name} refreshed={refresh.data} onClose={refresh.reset} />
    );
  const start = (action: () => void) => () => {
    for (const one of [reauthorize, refresh, remove]) one.reset();
    action();
  };
  return {
    // The page of the bank takes a moment to open: the button stays busy until this page is gone.
    busy:
      reauthorize.isPending || reauthorize.isSuccess ? 'reauthorize' : refresh.isPending ? 'refresh' : null,
    reauthorize: start(reauthorize.mutate),
    refresh: start(refresh.mutate),
    askToDelete: start(() => setAsking(true)),
    outcome,
    dialog: asking ? (
      <DeleteDialog
        connection={connection}
        busy={remove.isPending}
        onConfirm={remove.mutate}
        onClose={() => setAsking(false)}
      />
    ) : null,
  };
}

interface DeleteDialogProps {
  readonly connection: Connection;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What deleting a connection will do, by name, before it is done. */
function DeleteDialog({ connection, busy, onConfirm, onClose }: DeleteDialogProps) {
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
        <li>{providerTexts(connection.provider).withdrawal}</li>
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
