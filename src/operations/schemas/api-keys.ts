import { Type } from 'typebox';
import { FIXED_LIMITS, LIMITS } from '../../vocabulary/limits.ts';
import { SCOPES } from '../../vocabulary/scopes.ts';
import { API_KEY_STATUSES } from '../../vocabulary/states.ts';
import {
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';
import { unchangeable } from './unchangeable.ts';

/** docs/authentication.md#keys. `secret` is text only in the answer that creates the key. */
export const apiKeySchema = resource('api_key', {
  id: Type.String(),
  object: Type.Literal('api_key'),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  legacy: Type.Boolean(),
  secret: nullable(Type.String()),
  allowed_ips: nullable(Type.Array(Type.String())),
  expires_at: nullable(timestamp),
  expiring_at: nullable(timestamp),
  last_used_at: nullable(timestamp),
  rotated_from: nullable(Type.String()),
  status: oneOf(API_KEY_STATUSES),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.key_name_characters);

export const createApiKeyBody = Type.Object({
  name,
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
  allowed_ips: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 2, maxLength: 45 }), {
        minItems: 1,
        maxItems: LIMITS.allowed_ips.max,
      }),
    ),
  ),
  expires_at: Type.Optional(
    nullable(Type.String({ maxLength: 40, description: 'RFC 3339, in the future.' })),
  ),
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateApiKeyBody = Type.Object(
  { name: Type.Optional(name), metadata: Type.Optional(metadataPatch) },
  unchangeable(
    ['scopes', 'allowed_ips', 'expires_at'],
    'Create a key with what you need, then revoke this one.',
  ),
);

export const rotateApiKeyBody = Type.Object({
  grace: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'How long the old key stays valid: 30m, 12h, 7d; 0 revokes it immediately. At most 7d, which is the default.',
    }),
  ),
});
