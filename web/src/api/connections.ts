import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { connectionSchema } from '../../../src/operations/v2/connections/resource.ts';
import type { linkSessionSchema } from '../../../src/operations/v2/link-sessions.ts';
import { ask } from './client.ts';
import { everyItem } from './lists.ts';

export type Connection = Static<typeof connectionSchema>;
export type LinkSession = Static<typeof linkSessionSchema>;

const SETTLING_MS = 4_000;

/** Accounts of a new connection arrive a moment after it does. */
const whileSettling = (connections: readonly Connection[] | undefined) =>
  connections?.some(({ status }) => status === 'pending') === true ? SETTLING_MS : false;

export const connections = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) =>
    everyItem<Connection>({ path: 'connections', query: { 'include[]': ['accounts'] }, signal }),
  refetchInterval: ({ state }) => whileSettling(state.data),
});

export function connection(id: string) {
  return queryOptions({
    queryKey: ['connections', id],
    queryFn: ({ signal }) =>
      ask<Connection>({
        path: `connections/${encodeURIComponent(id)}`,
        query: { 'include[]': ['accounts'] },
        signal,
      }),
    refetchInterval: ({ state }) => whileSettling(state.data === undefined ? [] : [state.data]),
  });
}

export function reauthorizeConnection(id: string, returnUrl: string): Promise<LinkSession> {
  const path = `connections/${encodeURIComponent(id)}/reauthorize`;
  return ask({ method: 'POST', path, body: { return_url: returnUrl } });
}

export function refreshConnection(id: string): Promise<{ readonly data: readonly unknown[] }> {
  return ask({ method: 'POST', path: `connections/${encodeURIComponent(id)}/refresh` });
}

export function deleteConnection(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: `connections/${encodeURIComponent(id)}` });
}
