import { ActionIcon, Menu } from '@mantine/core';
import type { Connection } from '#client';
import { Icon } from '../../parts/icon.tsx';
import { CONNECTIONS } from '../../text/connections.ts';
import type { ConnectionActions } from './use-connection-actions.tsx';

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
        <Menu.Item onClick={actions.refresh}>{CONNECTIONS.refresh}</Menu.Item>
        <Menu.Item onClick={actions.reauthorize}>{CONNECTIONS.reauthorize}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={actions.askToDelete}>
          {CONNECTIONS.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
