import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Destination } from '#client';

import type { DestinationConnection } from '../../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { Icon } from '../../parts/icon.tsx';
import { DESTINATION, DESTINATIONS } from '../../text/destinations.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import type { DialogName } from './destination-dialog.tsx';

interface DestinationMenuProps {
  readonly destination: Destination;
  readonly onChoose: (dialog: DialogName) => void;
}

/** Everything that can be done with a destination. */
export function DestinationMenu({ destination, onChoose }: DestinationMenuProps) {
  const { type, name, status } = destination;
  const { connects, signingSecret } = DESTINATION_KINDS[type];
  const item = (dialog: DialogName, words: string): ReactNode => (
    <Menu.Item key={dialog} onClick={() => onChoose(dialog)}>
      {words}
    </Menu.Item>
  );
  const reconnect: Readonly<Record<DestinationConnection, ReactNode>> = {
    link: item('reauthorize', DESTINATION.reauthorize),
    url: item('address', DESTINATION.address),
    secret: item('secret', DESTINATION.replaceSecret),
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={DESTINATIONS.actionsOf(name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {item('rename', DESTINATION.rename)}
        {connects === 'url' || status === 'incomplete' ? null : item('target', DESTINATION.changeTarget)}
        {reconnect[connects]}
        {signingSecret ? item('rotate', NEW_DESTINATION.secret.rotate) : null}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => onChoose('delete')}>
          {DESTINATION.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
