import { ActionIcon, Menu } from '@mantine/core';
import type { ApiKey } from '#client';
import { Icon } from '../../parts/icon.tsx';
import { API_KEYS } from '../../text/api-keys.ts';
import { DEVELOPER } from '../../text/developer.ts';
import type { ApiKeyActions } from './use-api-key-actions.tsx';

interface ApiKeyMenuProps {
  readonly apiKey: ApiKey;
  readonly actions: ApiKeyActions;
}

/** What the state of the key leaves to do with it. */
export function ApiKeyMenu({ apiKey, actions }: ApiKeyMenuProps) {
  const { status } = apiKey;
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={DEVELOPER.actionsOf(apiKey.name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => actions.start('rename', apiKey)}>{DEVELOPER.rename}</Menu.Item>
        {status === 'active' ? (
          <Menu.Item onClick={() => actions.start('rotate', apiKey)}>{API_KEYS.rotate}</Menu.Item>
        ) : null}
        {status === 'revoked' ? null : (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => actions.start('revoke', apiKey)}>
              {API_KEYS.revoke}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
