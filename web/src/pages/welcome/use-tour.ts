import { useQueries } from '@tanstack/react-query';
import type { Destination } from '#client';
import { connections } from '../../api/connections.ts';
import { destinations } from '../../api/destinations.ts';
import { syncs } from '../../api/syncs.ts';
import { type Tour, tourOf } from './tour-state.ts';

/** Somebody watches the run, so its counts are read more often than elsewhere. */
const WATCHED_MS = 2_000;

interface TourReading {
  readonly tour: Tour | null;
  readonly error: unknown;
  readonly again: () => void;
}

export function useTour(type: Destination['type'] | null): TourReading {
  const watched = {
    ...syncs,
    refetchInterval: ({ state }: { state: { data?: readonly { status: string }[] | undefined } }) =>
      state.data?.some(({ status }) => status === 'running') === true ? WATCHED_MS : (false as const),
  };
  const [banks, places, copies] = useQueries({ queries: [connections, destinations, watched] });
  const read = [banks, places, copies];
  const tour =
    banks.data === undefined || places.data === undefined || copies.data === undefined
      ? null
      : tourOf({ connections: banks.data, destinations: places.data, syncs: copies.data }, type);
  return {
    tour,
    error: read.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    again: () => {
      for (const { error, refetch } of read) if (error !== null) refetch();
    },
  };
}
