import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { api } from './client.ts';
import { showRecord } from './session.ts';

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const record = await api.me.get({ signal });
    showRecord(record.id);
    return record;
  },
  staleTime: 300_000,
});

/**
 * Whether the person has the scope. True until it is known, so that nothing moves for the many who do; the service
 * refuses the others anyway.
 */
export function useMay(scope: Scope): boolean {
  return useQuery(me).data?.scopes.includes(scope) ?? true;
}
