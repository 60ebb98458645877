import { ActionIcon, Menu } from '@mantine/core';
import type { Sync } from '#client';
import { Icon } from '../../parts/icon.tsx';
import { SYNCS } from '../../text/syncs.ts';
import type { SyncActions } from './use-sync-actions.tsx';

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
