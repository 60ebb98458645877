import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Sync } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { accounts } from '../api/accounts.ts';
import { syncs } from '../api/syncs.ts';
import { useLiveReads } from '../api/use-events.ts';
import { agoText } from '../format/moments.ts';
import { LinkButton } from '../parts/buttons.tsx';
import card from '../parts/card.module.css';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { SYNC_RUN } from '../text/sync-runs.ts';
import { SYNCS } from '../text/syncs.ts';
import { placeText } from './fields/mapping-modes.ts';
import { useSyncActions } from './sync-actions.tsx';
import { SyncAttention, SyncMenu, SyncStatus } from './sync-status.tsx';
import classes from './syncs.module.css';

/** Every sync: what is copied where, and how it goes. */
export function SyncsPage() {
  useLiveReads();
  return (
    <Page
      title={SYNCS.title}
      actions={
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <NewButton />
        </OwnerOnly>
      }
    >
      <SyncList />
    </Page>
  );
}

function SyncList() {
  const { data, error, refetch } = useQuery(syncs);
  if (data === undefined && error !== null) return <Problem error={error} again={refetch} />;
  if (data?.length === 0) return <NoSyncs />;
  return (
    <div className={card.card}>
      {data === undefined ? (
        <LoadingRows count={3} />
      ) : (
        <ul className={rows.rows}>
          {data.map((sync) => (
            <SyncRow key={sync.id} sync={sync} />
          ))}
        </ul>
      )}
    </div>
  );
}

function NoSyncs() {
  const linked = useQuery(accounts).data;
  if (linked?.length === 0) {
    return (
      <Empty
        title={SYNCS.none}
        text={SYNCS.noneLinked}
        action={
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkButton to={APP_PATHS.newConnection}>{SYNCS.link}</LinkButton>
          </OwnerOnly>
        }
      />
    );
  }
  return (
    <Empty
      title={SYNCS.none}
      text={SYNCS.noneText}
      action={
        <OwnerOnly scope="syncs:write">
          <NewButton />
        </OwnerOnly>
      }
    />
  );
}

function NewButton() {
  return (
    <LinkButton to={APP_PATHS.newSync} leftSection={<Icon name="plus" />}>
      {SYNCS.create}
    </LinkButton>
  );
}

/** A sync in the list: what goes where, its state, and what can be done. */
function SyncRow({ sync }: { readonly sync: Sync }) {
  const actions = useSyncActions(sync);
  const { id, name, type, accounts, destination, latest_run: run, enabled, status, attention } = sync;
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.sync} params={{ id }} className={rows.link}>
            {name}
          </Link>
          <SyncStatus sync={sync} />
        </p>
        <p className={rows.detail}>
          {SYNCS.copies(SYNCS.type[type], accounts.length, placeText(destination))}
        </p>
        <p className={rows.detail}>{timesOf(sync)}</p>
      </div>
      <div className={rows.end}>
        {run !== null && status === 'running' ? (
          <LinkButton variant="default" to={APP_PATHS.syncRun} params={{ id: run.id }}>
            {SYNCS.follow}
          </LinkButton>
        ) : enabled && run !== null && attention?.code === 'run_failed' ? (
          <LinkButton variant="default" to={APP_PATHS.syncRun} params={{ id: run.id }}>
            {SYNCS.look}
          </LinkButton>
        ) : enabled ? (
          <OwnerOnly scope="syncs:write">
            <Button variant="default" loading={actions.busy} onClick={actions.run}>
              {SYNCS.run}
            </Button>
          </OwnerOnly>
        ) : (
          <OwnerOnly scope="syncs:write">
            <Button variant="default" loading={actions.busy} onClick={actions.toggle}>
              {SYNCS.resume}
            </Button>
          </OwnerOnly>
        )}
        <OwnerOnly scope="syncs:write">
          <SyncMenu sync={sync} actions={actions} />
        </OwnerOnly>
      </div>
      <SyncAttention sync={sync} busy={actions.busy} onRun={actions.run} />
      {actions.outcome === null ? null : <div className={classes.outcome}>{actions.outcome}</div>}
      {actions.dialog}
    </li>
  );
}

function timesOf({ latest_run: run, next_run_at: next }: Sync): string {
  const rejected =
    run === null || run.counts.rejected === 0 ? '' : `${SYNC_RUN.rejected(run.counts.rejected)} · `;
  const last =
    run === null ? SYNCS.never : SYNCS.ran(agoText(run.completed_at ?? run.started_at ?? run.created));
  return `${rejected}${last} · ${next === null ? SYNCS.noNext : SYNCS.next(agoText(next))}`;
}
