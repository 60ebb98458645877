import { Type } from 'typebox';
import { DURATION_PATTERN } from '../../vocabulary/durations.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { SCOPES } from '../../vocabulary/scopes.ts';
import { API_KEY_STATUSES } from '../../vocabulary/states.ts';
import { defaultText, limited, refusedAs } from './bounds.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  momentOf,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';
import { unchangeable } from './unchangeable.ts';

/** docs/authentication.md#keys. `secret` is text only in the answer that creates the key. */
export const apiKeySchema = resource('api_key', {
  id: idOf('api_key'),
  object: Type.Literal('api_key'),
  name: text(FIXED_LIMITS.key_name_characters),
  prefix: Type.String({ maxLength: FIXED_LIMITS.key_prefix_characters }),
  scopes: Type.Array(oneOf(SCOPES)),
  legacy: Type.Boolean(),
  secret: nullable(Type.String()),
  allowed_ips: nullable(Type.Array(Type.String())),
  expires_at: nullable(timestamp),
  expiring_at: nullable(timestamp),
  last_used_at: nullable(timestamp),
  rotated_from: nullable(idOf('api_key')),
  status: oneOf(API_KEY_STATUSES),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.key_name_characters);

/** Of the form alone; whether there is such an address, the feature says in the same words (api-key-checks.ts). */
const address = Type.String({
  maxLength: 45,
  pattern: '^[0-9A-Fa-f:.]{2,45}(?:/\\d{1,2})?$',
  description: 'An IPv4 address, an IPv4 range such as 203.0.113.0/24, or an exact IPv6 address.',
  ...refusedAs(
    'parameter_invalid',
    'Give an IPv4 address, an IPv4 range such as 203.0.113.0/24, or an exact IPv6 address.',
  ),
});

export const createApiKeyBody = Type.Object({
  name,
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
  allowed_ips: Type.Optional(
    nullable(
      Type.Array(address, {
        minItems: 1,
        ...limited({ maxItems: 'allowed_ips' }),
      }),
    ),
  ),
  expires_at: Type.Optional(nullable(momentOf('RFC 3339, in the future.'))),
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
      pattern: DURATION_PATTERN,
      ...defaultText('key_grace_days', 'd'),
      description:
        'How long the old key stays valid: 30m, 12h, 7d; 0 revokes it immediately. At most as long as the default.',
      ...refusedAs(
        'parameter_invalid',
        'grace must be a duration such as 30m, 12h or 7d; 0 revokes the old key immediately.',
      ),
    }),
  ),
});
