import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Connection } from '#client';
import { PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { api } from '../api/client.ts';
import { connections, returnUrl } from '../api/connections.ts';
import { eventReads } from '../api/event-reads.ts';
import { heldRows } from '../api/held-rows.ts';
import { syncs } from '../api/syncs.ts';
import { useLiveReads } from '../api/use-events.ts';
import { agoText } from '../format/moments.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { Problem } from '../parts/page-states.tsx';
import { CONNECTIONS } from '../text/connections.ts';
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

/** What can be done with a connection, and how it goes. `onDeleted` runs once it is gone. */
export function useConnectionActions(connection: Connection, onDeleted?: () => void): ConnectionActions {
  const { id, institution, provider } = connection;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reauthorize = useMutation({
    mutationFn: () => api.connections.reauthorize({ id, return_url: returnUrl('connections', provider) }),
    onSuccess: ({ url }) => location.assign(url),
  });
  const readAgain = () => {
    heldRows.forget();
    return queries.invalidateQueries();
  };
  const refresh = useMutation({
    mutationFn: async () => {
      const { data: runs, reads } = await api.connections.refresh({ id });
      eventReads.awaitFetch(id);
      return { runs: runs.length, reads, balances: reads.purged ? await readBalances(connection) : null };
    },
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: () => api.connections.delete({ id }),
    onSuccess: () => {
      setAsking(false);
      queries.setQueryData(connections.queryKey, (known) => known?.filter((one) => one.id !== id));
      onDeleted?.();
    },
    onError: () => setAsking(false),
    onSettled: readAgain,
  });

  const { failed, refreshing } = CONNECTIONS;
  const failures = [
    { error: reauthorize.error, title: failed.reauthorize(institution.name) },
    { error: refresh.error, title: failed.refresh(institution.name) },
    { error: remove.error, title: failed.delete(institution.name) },
  ].filter(({ error }) => error !== null);
  const outcome =
    failures.length > 0 ? (
      failures.map(({ error, title }) => <Problem key={title} error={error} title={title} />)
    ) : refresh.data === undefined ? null : (
      <>
        <Live />
        <Notice
          tone="good"
          title={
            refresh.data.reads.purged
              ? refreshing.justNow(institution.name)
              : refreshing.recent(
                  agoText(refresh.data.reads.purged_at),
                  agoText(refresh.data.reads.available_at),
                )
          }
          text={[
            ...(refresh.data.balances === null
              ? []
              : [refreshing.balances(refresh.data.balances.read, refresh.data.balances.all)]),
            refreshing.runs(refresh.data.runs),
          ].join(' ')}
          onClose={refresh.reset}
        />
      </>
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

/** Listens while the result is shown: the provider fetches from the bank after the refresh was answered. */
function Live() {
  useLiveReads();
  return null;
}

/** Reads the balances at the bank, which other pages then find in the cache; null if there are none to read. */
async function readBalances({ accounts }: Connection): Promise<{ read: number; all: number } | null> {
  const ids = (accounts ?? [])
    .filter(({ category, status }) => category === 'banking' && status === 'available')
    .map((account) => account.id)
    .slice(0, MOST_BALANCES);
  if (ids.length === 0) return null;
  // Where they cannot be read, the pages that show them say why.
  const read = await api.balances
    .list({ account: ids })
    .all()
    .catch(() => []);
  return { read: read.filter(({ freshness }) => freshness !== 'unavailable').length, all: ids.length };
}

/** As many as one request may name (`balance_accounts`, docs/limits.md). */
const MOST_BALANCES = 100;

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
        <li>{PROVIDERS[connection.provider].texts.withdrawal}</li>
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
