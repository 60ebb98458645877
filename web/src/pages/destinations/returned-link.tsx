import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { destinationLink, destinations, latestLink } from '../../api/destinations.ts';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { PATHS } from '../../routing/paths.ts';

const COMPLETED = { destination_link: 'completed' } as const;

/** Goes on to the destination that somebody has just signed in for, or to the list where it is not known which it is. */
export function ReturnedLink() {
  const id = latestLink();
  const queries = useQueryClient();
  const { data, error } = useQuery({ ...destinationLink(id ?? ''), enabled: id !== null });
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: destinations.queryKey });
  }, [queries]);
  if (id === null || error !== null || data?.destination === null) {
    return <Navigate to={PATHS.destinations} search={COMPLETED} replace />;
  }
  if (data === undefined) return <LoadingRows count={3} />;
  return <Navigate to={PATHS.destination} params={{ id: data.destination }} search={COMPLETED} replace />;
}
