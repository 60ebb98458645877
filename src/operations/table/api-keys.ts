import { Type } from 'typebox';
import { publicId } from '../../vocabulary/ids.ts';
import { parseInstant } from '../../vocabulary/moments.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentApiKey } from '../presenters/api-keys.ts';
import { apiKeySchema, createApiKeyBody, rotateApiKeyBody, updateApiKeyBody } from '../schemas/api-keys.ts';
import { deletedAnswer, deletedSchema } from '../schemas/conventions.ts';

const path = '/v2/api_keys';
const scope = 'keys:write';

export const apiKeyOperations: readonly Operation[] = [
  operation({
    id: 'list_api_keys',
    summary: 'List API keys',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    params: none,
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(apiKeySchema),
    handle: async (request) => {
      const { caller, services } = request;
      const walk = new Walk(request, 'list_api_keys', path, request.query);
      const page = await services.apiKeys.list(caller.accountRecord.id, walk.pageRequest);
      return walk.envelope(page, (key) => presentApiKey(key, services.clock.now()));
    },
  }),
  operation({
    id: 'create_api_key',
    summary: 'Create an API key; its secret is shown once',
    method: 'POST',
    path,
    scope,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'api_key.created',
    params: none,
    query: none,
    body: createApiKeyBody,
    status: 201,
    response: apiKeySchema,
    errors: ['scope_not_held', 'key_limit_reached', 'api_key_create_failed'],
    handle: async ({ body, caller, services }) => {
      const { key, secret } = await services.apiKeys.create(
        caller.accountRecord.id,
        {
          name: body.name,
          scopes: body.scopes,
          allowedIps: body.allowed_ips ?? null,
          expiresAt: expiry(body.expires_at ?? null),
          metadata: body.metadata ?? null,
        },
        caller,
      );
      return presentApiKey(key, services.clock.now(), secret);
    },
  }),
  operation({
    id: 'get_api_key',
    summary: 'Read an API key',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('api_key'),
    query: none,
    body: none,
    response: apiKeySchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const key = await services.apiKeys.find(caller.accountRecord.id, pathId('api_key', params.id));
      return presentApiKey(key, services.clock.now());
    },
  }),
  operation({
    id: 'update_api_key',
    summary: "Change an API key's name or metadata",
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'api_key.updated',
    params: idParams('api_key'),
    query: none,
    body: updateApiKeyBody,
    response: apiKeySchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services }) => {
      const key = await services.apiKeys.update(caller.accountRecord.id, pathId('api_key', params.id), body);
      return presentApiKey(key, services.clock.now());
    },
  }),
  operation({
    id: 'rotate_api_key',
    summary:
      'Replace an API key; the old key stays valid during a grace period; the new secret is shown once',
    method: 'POST',
    path: `${path}/:id/rotate`,
    scope,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'api_key.rotated',
    params: idParams('api_key'),
    query: none,
    body: rotateApiKeyBody,
    status: 201,
    response: apiKeySchema,
    errors: [
      'resource_missing',
      'key_revoked',
      'key_already_rotated',
      'key_expired',
      'key_limit_reached',
      'scope_not_held',
      'api_key_rotate_failed',
    ],
    handle: async ({ params, body, caller, services }) => {
      const { key, secret } = await services.apiKeys.rotate(
        caller.accountRecord.id,
        pathId('api_key', params.id),
        body.grace ?? null,
        caller,
      );
      return presentApiKey(key, services.clock.now(), secret);
    },
  }),
  operation({
    id: 'revoke_api_key',
    summary: 'Revoke an API key; it stops working at once, everywhere',
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'api_key.revoked',
    params: idParams('api_key'),
    query: none,
    body: none,
    response: deletedSchema('api_key', 'api_key'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const key = await services.apiKeys.revoke(caller.accountRecord.id, pathId('api_key', params.id));
      return deletedAnswer(publicId('api_key', key.id), 'api_key');
    },
  }),
];

function expiry(text: string | null): Date | null {
  if (text === null) return null;
  const at = parseInstant(text);
  if (at === null)
    throw invalidParameter(
      'expires_at',
      'expires_at must be an RFC 3339 moment such as 2027-01-31T00:00:00Z.',
    );
  return new Date(at);
}
