import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  apiKeySchema,
  createApiKeyBody,
  updateApiKeyBody,
} from '../../../src/operations/v2/api-keys/resource.ts';
import { ask } from './client.ts';
import { paged } from './paged.ts';

export type ApiKey = Static<typeof apiKeySchema>;
export type NewApiKey = Static<typeof createApiKeyBody>;

const PATH = 'api_keys';

export const apiKeys = paged<ApiKey>(PATH);

export function apiKey(id: string) {
  return queryOptions({
    queryKey: [PATH, id],
    queryFn: ({ signal }) => ask<ApiKey>({ path: one(id), signal }),
  });
}

/** The answer has the secret, which nothing but the page that asked may hold. */
export function createApiKey(body: NewApiKey): Promise<ApiKey> {
  return ask({ method: 'POST', path: PATH, body });
}

export function updateApiKey(id: string, body: Static<typeof updateApiKeyBody>): Promise<ApiKey> {
  return ask({ method: 'POST', path: one(id), body });
}

/** The answer is the replacement, with its secret. */
export function rotateApiKey(id: string, grace: string): Promise<ApiKey> {
  return ask({ method: 'POST', path: `${one(id)}/rotate`, body: { grace } });
}

export function revokeApiKey(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: one(id) });
}

function one(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
