import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { api } from '../../api/client.ts';
import { destinations } from '../../api/destinations.ts';
import { syncs } from '../../api/syncs.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATIONS } from '../../text/destinations.ts';
import { useReconnect } from './use-reconnect.ts';

interface Repair {
  /** The one thing that makes the destination work again; null where it does. */
  readonly action: ReactNode;
  readonly failure: ReactNode;
}

/** What a destination needs that cannot be written to, for beside its name in a list. */
export function useRepair(destination: Destination): Repair {
  const { id, type, name, status } = destination;
  const queries = useQueryClient();
  const reconnect = useReconnect(destination);
  const enable = useMutation({
    mutationFn: () => api.destinations.enable({ id }),
    onSettled: () =>
      Promise.all([destinations, syncs].map(({ queryKey }) => queries.invalidateQueries({ queryKey }))),
  });
  const opens = (words: string) => (
    <LinkButton size="xs" to={PATHS.destination} params={{ id }}>
      {words}
    </LinkButton>
  );
  const actions: Readonly<Record<Destination['status'], () => ReactNode>> = {
    active: () => null,
    incomplete: () => opens(DESTINATIONS.finish),
    reauth_required: () =>
      DESTINATION_KINDS[type].connects === 'link' ? (
        <Button size="xs" loading={reconnect.busy} onClick={() => reconnect.mutate()}>
          {DESTINATIONS.signIn}
        </Button>
      ) : (
        opens(DESTINATIONS.newSecret)
      ),
    disabled: () => (
      <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
        {DESTINATIONS.enable}
      </Button>
    ),
  };
  const { failed } = DESTINATIONS;
  return {
    action: actions[status](),
    failure:
      reconnect.error !== null ? (
        <Problem error={reconnect.error} title={failed.link(DESTINATION_KINDS[type].texts.name)} />
      ) : enable.error !== null ? (
        <Problem error={enable.error} title={failed.enable(name)} />
      ) : null,
  };
}
