import { ActionIcon, Button, Menu } from '@mantine/core';
import type { Sync } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { ATTENTION, SYNCS } from '../text/syncs.ts';
import { hasRejected, RunStatus } from './run-status.tsx';
import type { SyncActions } from './sync-actions.tsx';
import classes from './syncs.module.css';

interface SyncAttentionProps {
  readonly sync: Sync;
  readonly busy: boolean;
  readonly onRun: () => void;
  /** Opens the choice of accounts; if absent, the page that has it is opened. */
  readonly onAccounts?: () => void;
}

/** What needs attention, and the action that fixes it. Renders nothing if there is none. */
export function SyncAttention(props: SyncAttentionProps) {
  const { attention, status } = props.sync;
  if (attention === null || status === 'running') return null;
  const { title, text } = ATTENTION[attention.code];
  return (
    <div className={classes.attention}>
      <div className={classes.attentionWords}>
        <p className={classes.attentionTitle}>{title}</p>
        <p>{text}</p>
      </div>
      <Remedy {...props} code={attention.code} />
    </div>
  );
}

function Remedy({
  sync: { id, destination, enabled, latest_run: run },
  busy,
  onRun,
  onAccounts,
  code,
}: SyncAttentionProps & { readonly code: keyof typeof ATTENTION }) {
  const { action } = ATTENTION[code];
  switch (code) {
    case 'destination_auth_expired':
    case 'destination_resource_missing':
    case 'destination_disabled':
      return (
        <LinkButton size="xs" to={APP_PATHS.destination} params={{ id: destination.id }}>
          {action}
        </LinkButton>
      );
    case 'consent_expired':
      return (
        <LinkButton size="xs" to={APP_PATHS.connections}>
          {action}
        </LinkButton>
      );
    case 'connection_lost':
    case 'account_unavailable':
      return onAccounts === undefined ? (
        <LinkButton size="xs" to={APP_PATHS.sync} params={{ id }}>
          {action}
        </LinkButton>
      ) : (
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <Button size="xs" onClick={onAccounts}>
            {action}
          </Button>
        </OwnerOnly>
      );
    case 'data_invalid':
      return run === null ? null : (
        <LinkButton size="xs" to={APP_PATHS.syncRun} params={{ id: run.id }}>
          {action}
        </LinkButton>
      );
    case 'run_failed':
      // A paused sync does not run; its own action resumes it.
      return !enabled ? null : (
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <Button size="xs" loading={busy} onClick={onRun}>
            {action}
          </Button>
        </OwnerOnly>
      );
  }
}

interface SyncMenuProps {
  readonly sync: Sync;
  readonly actions: SyncActions;
}

/** What can be done with a sync besides running it. */
export function SyncMenu({ sync: { name, enabled }, actions }: SyncMenuProps) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={SYNCS.actionsOf(name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={actions.toggle}>{enabled ? SYNCS.pause : SYNCS.resume}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={actions.askToDelete}>
          {SYNCS.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The state of a sync, in a word. */
export function SyncStatus({ sync }: { readonly sync: Sync }) {
  const { status, enabled, last_synced_at: last, latest_run: run } = sync;
  const { status: words } = SYNCS;
  if (status === 'running') return <StatusBadge tone="idle">{words.running}</StatusBadge>;
  if (status === 'attention') return <StatusBadge tone="bad">{words.attention}</StatusBadge>;
  if (!enabled) return <StatusBadge tone="idle">{words.paused}</StatusBadge>;
  if (last === null) return <StatusBadge tone="idle">{words.fresh}</StatusBadge>;
  if (run !== null && hasRejected(run)) return <RunStatus run={run} />;
  return <StatusBadge tone="good">{words.idle}</StatusBadge>;
}
