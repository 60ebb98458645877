import { queryOptions } from '@tanstack/react-query';
import type { Connection, Institution, LinkSession } from '#client';
import { PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { asShown } from './accounts.ts';
import { appUrl } from './app-url.ts';
import { api } from './client.ts';
import { paged } from './queries.ts';

const SETTLING_MS = 4_000;

/** Accounts of a new connection arrive shortly after it does. */
const whileSettling = (connections: readonly Connection[] | undefined) =>
  connections?.some(({ status }) => status === 'pending') === true ? SETTLING_MS : false;

const withShown = (read: Connection): Connection => ({
  ...read,
  accounts: read.accounts?.map(asShown) ?? null,
});

export const connections = queryOptions({
  queryKey: ['connections'],
  queryFn: async ({ signal }) =>
    (await api.connections.list({ limit: 100, include: ['accounts'] }, { signal }).all()).map(withShown),
  refetchInterval: ({ state }) => whileSettling(state.data),
});

export function connection(id: string) {
  return queryOptions({
    queryKey: ['connections', id],
    queryFn: async ({ signal }) =>
      withShown(await api.connections.get({ id, include: ['accounts'] }, { signal })),
    refetchInterval: ({ state }) => whileSettling(state.data === undefined ? [] : [state.data]),
  });
}

export function consents(connection: string) {
  return queryOptions({
    queryKey: ['consents', connection],
    queryFn: ({ signal }) => api.consents.list({ limit: 100, connection }, { signal }).all(),
  });
}

/** Institutions whose name contains the text, page by page, with their availability now. */
export function institutions(text: string) {
  const sought = text === '' ? {} : { q: text };
  return paged(['institutions', text], (page, options) =>
    api.institutions.list({ ...sought, ...page }, options),
  );
}

/** Starts linking; the person continues at the `url` of the response, and returns to the page. */
export function createLinkSession(
  { provider, id }: Pick<Institution, 'provider' | 'id'>,
  page: 'connections' | 'welcome',
): Promise<LinkSession> {
  const bank = PROVIDERS[provider].linksInstitution ? { institution: id } : { chosen_institution: id };
  return api.linkSessions.create({ provider, ...bank, return_url: returnUrl(page, provider) });
}

/** Where a person comes back from linking. The provider is in it, because why a link failed depends on it. */
export function returnUrl(page: 'connections' | 'welcome', provider: Connection['provider']): string {
  const url = appUrl(page);
  url.searchParams.set('provider', provider);
  return url.href;
}
