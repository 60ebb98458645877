import { queryOptions } from '@tanstack/react-query';
import type { AuditEvent } from '#client';
import { api } from './client.ts';
import { paged } from './queries.ts';

export const apiKeys = paged(['api_keys', 'pages', {}], (page, options) => api.apiKeys.list(page, options));

export function apiKey(id: string) {
  return queryOptions({
    queryKey: ['api_keys', id],
    queryFn: ({ signal }) => api.apiKeys.get({ id }, { signal }),
  });
}

/** As many as there can be keys in use, and more, by default. */
const MOST_EVENTS = 100;

/**
 * Who created the latest keys, by the id of a key: the audit log knows it, for as long as it keeps its events. A key
 * that replaced another was created by the person or the program that rotated it.
 */
export const apiKeyMakers = queryOptions({
  queryKey: ['api_keys', 'makers'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, AuditEvent['actor']>> => {
    const pages = await Promise.all(
      (['api_key.created', 'api_key.rotated'] as const).map((kind) =>
        api.auditEvents.list({ kind, limit: MOST_EVENTS }, { signal }).page(),
      ),
    );
    return new Map(
      pages.flatMap(({ data }) =>
        data.flatMap(({ target, actor }): [string, AuditEvent['actor']][] =>
          target === null ? [] : [[target, actor]],
        ),
      ),
    );
  },
});
