import { Type } from 'typebox';
import { publicId } from '../../../vocabulary/ids.ts';
import { parseInstant } from '../../../vocabulary/moments.ts';
import { invalidParameter } from '../../../vocabulary/service-error.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { exampleId } from '../docs/examples.ts';
import { deletedAnswer, deletedSchema, idParams, pathId } from '../schema/conventions.ts';
import {
  apiKeyExample,
  apiKeySchema,
  createApiKeyBody,
  freshExample,
  presentApiKey,
  rotateApiKeyBody,
  updateApiKeyBody,
} from './resource.ts';

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
    query: Type.Object(pagingQuery),
    response: listOf(apiKeySchema),
    handle: async (request) => {
      const { caller, services } = request;
      const paging = new ListRequest(request, 'list_api_keys', path, request.query);
      const page = await services.apiKeys.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, (key) => presentApiKey(key, services.clock.now()));
    },
  }),
  operation({
    id: 'create_api_key',
    summary: 'Create an API key; its secret is shown once',
    docs: {
      description: 'Keep the secret: it cannot be shown again.',
      sent: {
        scopes: 'What the key may do; none that the calling key lacks.',
        allowed_ips:
          'IPv4 addresses, CIDR ranges or exact IPv6 addresses; null or absent: from anywhere. Within those of the calling key, if it has any.',
        expires_at: 'RFC 3339, in the future; not after the end of the calling key, where it has one.',
      },
      body: {
        name: 'Budget script',
        scopes: ['data:read', 'syncs:write'],
        allowed_ips: ['203.0.113.0/24'],
        metadata: { owner: 'finance' },
      },
      answer: freshExample,
    },
    method: 'POST',
    path,
    scope,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'api_key.created',
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
    docs: {
      description: 'Only name and metadata change. A metadata key set to null is removed.',
      body: { name: 'Budget script, at night', metadata: { owner: null } },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'api_key.updated',
    params: idParams('api_key'),
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
    docs: {
      description:
        'Answers the replacement, with its secret. The old key is `expiring` and works until `grace` is over: `7d` unless said otherwise, and at most.',
      body: { grace: '24h' },
      answer: { ...freshExample, id: exampleId('api_key', 2), rotated_from: apiKeyExample.id },
    },
    method: 'POST',
    path: `${path}/:id/rotate`,
    scope,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'api_key.rotated',
    params: idParams('api_key'),
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
