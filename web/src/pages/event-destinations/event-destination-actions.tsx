import { ActionIcon, Button, Menu } from '@mantine/core';
import type { EventDestination } from '#client';
import { Icon } from '../../parts/icon.tsx';
import { DEVELOPER } from '../../text/developer.ts';
import { EVENT_DESTINATIONS } from '../../text/event-destinations.ts';
import type { useEventDestinationActions } from './use-event-destination-actions.tsx';
import type { usePing } from './use-ping.tsx';

interface EventDestinationActionsProps {
  readonly destination: EventDestination;
  readonly actions: ReturnType<typeof useEventDestinationActions>;
  readonly ping: ReturnType<typeof usePing>;
  readonly onEdit: () => void;
}

/** What the state of the event destination leaves to do with it: the likeliest as a button, the rest in a menu. */
export function EventDestinationActions({
  destination,
  actions,
  ping,
  onEdit,
}: EventDestinationActionsProps) {
  const words = EVENT_DESTINATIONS;
  const enabled = destination.status === 'enabled';
  return (
    <>
      {enabled ? (
        <Button variant="default" loading={ping.busy} onClick={ping.send}>
          {words.ping}
        </Button>
      ) : (
        <Button loading={actions.busy} onClick={actions.enable}>
          {words.enable}
        </Button>
      )}
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={DEVELOPER.actionsOf(destination.name)}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>
          <Menu.Item onClick={() => actions.ask('rotate')}>{words.rotate}</Menu.Item>
          {enabled ? <Menu.Item onClick={() => actions.ask('disable')}>{words.disable}</Menu.Item> : null}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => actions.ask('delete')}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
