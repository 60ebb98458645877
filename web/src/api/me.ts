import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { api } from './client.ts';
import { showRecord } from './shown-record.ts';

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const record = await api.me.get({ signal });
    showRecord(record.id);
    return record;
  },
  staleTime: 300_000,
});

/** What the shown account record is called, for someone who shares several; null for everyone else. */
export function useRecordName(): string | null {
  const { data } = useQuery(me);
  const session = data?.session ?? null;
  return session === null || session.account_records < 2 ? null : (data?.name ?? session.account_email);
}

/**
 * Whether the person has the scope. True until it is known, so that nothing moves for the many who do; the service
 * refuses the others anyway.
 */
export function useMay(scope: Scope): boolean {
  return useQuery(me).data?.scopes.includes(scope) ?? true;
}
