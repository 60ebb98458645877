import { useQuery } from '@tanstack/react-query';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { destinationResources } from '../../api/destinations.ts';

/** Where somebody looks at what a destination holds, as its vendor says; null where it has no address, or is not known. */
export function useRowsUrl({ id, type, status, target }: Destination): {
  readonly url: string | null;
  /** Whether the vendor is still being asked. */
  readonly asking: boolean;
} {
  const shape = DESTINATION_KINDS[type].target.steps;
  const { data, isLoading } = useQuery({
    ...destinationResources(id, { type: shape?.outer.kind ?? 'spreadsheet' }),
    enabled: shape !== null && status === 'active',
  });
  const url = data?.items.find((one) => one.id === target[shape?.outer.key ?? ''])?.url ?? null;
  // The vendor wrote it, so it may be anything.
  return { url: url !== null && /^https?:\/\//.test(url) ? url : null, asking: isLoading };
}
