import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Connection } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { daysUntil } from '../format/moments.ts';
import { Icon } from '../parts/icon.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { CONNECTIONS, connectionStatus } from '../text/connections.ts';
import { STATEMENT_FILES } from '../text/statement-files.ts';
import type { ConnectionActions } from './connection-actions.tsx';

const TONES: Readonly<Record<Connection['status'], Tone>> = {
  pending: 'idle',
  active: 'good',
  expiring: 'warn',
  expired: 'bad',
  invalidated: 'bad',
  revoked: 'idle',
};

const RENEWABLE: ReadonlySet<Connection['status']> = new Set(['expiring', 'expired', 'invalidated']);

/** Whether the person should reauthorise it, now or soon. */
export function needsReauthorising({ status }: Pick<Connection, 'status'>): boolean {
  return RENEWABLE.has(status);
}

export function ConnectionStatus({ connection }: { readonly connection: Connection }) {
  const { status, consent } = connection;
  const ends = status === 'expiring' ? consent?.expires_at : null;
  return (
    <StatusBadge tone={TONES[status]}>
      {ends == null ? connectionStatus(connection) : CONNECTIONS.daysLeft(daysUntil(ends))}
    </StatusBadge>
  );
}

interface ConnectionMenuProps {
  readonly connection: Connection;
  readonly actions: ConnectionActions;
}

/** Everything that can be done with a connection. */
export function ConnectionMenu({ connection, actions }: ConnectionMenuProps) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          loading={actions.busy !== null}
          aria-label={CONNECTIONS.actionsOf(connection.institution.name)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {connection.category === 'documents' ? (
          <Menu.Item component={Link} to={APP_PATHS.statementFiles}>
            {STATEMENT_FILES.list}
          </Menu.Item>
        ) : (
          <>
            <Menu.Item onClick={actions.refresh}>{CONNECTIONS.refresh}</Menu.Item>
            <Menu.Item onClick={actions.reauthorize}>{CONNECTIONS.reauthorize}</Menu.Item>
          </>
        )}
        <Menu.Divider />
        <Menu.Item color="red" onClick={actions.askToDelete}>
          {CONNECTIONS.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
