import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Sync } from '#client';
import { agoText } from '../../format/moments.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { SYNCS } from '../../text/syncs.ts';
import { placeText } from './place-text.ts';
import { SyncAttention } from './sync-attention.tsx';
import { SyncMenu } from './sync-menu.tsx';
import { SyncStatus } from './sync-status.tsx';
import classes from './syncs.module.css';
import { useSyncActions } from './use-sync-actions.tsx';

/** A sync in the list: what goes where, how it stands, and what can be done. */
export function SyncRow({ sync }: { readonly sync: Sync }) {
  const actions = useSyncActions(sync);
  const { id, name, type, accounts, destination, latest_run: run, enabled, status, attention } = sync;
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={rows.name}>
          <Link to={PATHS.sync} params={{ id }} className={rows.link}>
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
          <LinkButton variant="default" to={PATHS.syncRun} params={{ id: run.id }}>
            {SYNCS.follow}
          </LinkButton>
        ) : enabled && run !== null && attention?.code === 'run_failed' ? (
          <LinkButton variant="default" to={PATHS.syncRun} params={{ id: run.id }}>
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
  const last =
    run === null ? SYNCS.never : SYNCS.ran(agoText(run.completed_at ?? run.started_at ?? run.created));
  return `${last} · ${next === null ? SYNCS.noNext : SYNCS.next(agoText(next))}`;
}
