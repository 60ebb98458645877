import { type Static, Type } from 'typebox';
import { apiKeyStatus } from '../../../features/access/api-key-authenticator.ts';
import type { ApiKey } from '../../../storage/api-keys.ts';
import { DURATION_PATTERN } from '../../../vocabulary/durations.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { LEGACY_SCOPES, SCOPES } from '../../../vocabulary/scopes.ts';
import { API_KEY_STATUSES } from '../../../vocabulary/states.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { defaultText, limited, refusedAs } from '../schema/bounds.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  moment,
  momentOf,
  momentOrNull,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
  unchangeable,
} from '../schema/conventions.ts';

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

/** `secret` is given only by create and rotate. */
export function presentApiKey(
  key: ApiKey,
  now: number,
  secret: string | null = null,
): Static<typeof apiKeySchema> {
  return {
    id: publicId('api_key', key.id),
    object: 'api_key',
    name: key.name,
    prefix: key.prefix,
    scopes: key.legacy ? [...LEGACY_SCOPES] : key.scopes,
    legacy: key.legacy,
    secret,
    allowed_ips: key.allowed_ips,
    expires_at: momentOrNull(key.expires_at),
    expiring_at: momentOrNull(key.expiring_at),
    last_used_at: momentOrNull(key.last_used_at),
    rotated_from: key.rotated_from === null ? null : publicId('api_key', key.rotated_from),
    status: apiKeyStatus(key, now),
    metadata: key.metadata,
    livemode: true,
    created: moment(key.created),
    updated: moment(key.updated),
  };
}

export const apiKeyExample: Static<typeof apiKeySchema> = {
  id: exampleId('api_key'),
  object: 'api_key',
  name: 'Budget script',
  prefix: 'trib_live_EXAMPL',
  scopes: ['data:read', 'syncs:write'],
  legacy: false,
  secret: null,
  allowed_ips: ['203.0.113.0/24'],
  expires_at: null,
  expiring_at: null,
  last_used_at: EXAMPLE_UPDATED,
  rotated_from: null,
  status: 'active',
  metadata: { owner: 'finance' },
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};
const secretExample = 'trib_live_EXAMPLEkeyEXAMPLEkeyEXAMPLEkey000000';
export const freshExample = { ...apiKeyExample, secret: secretExample, last_used_at: null };

export const apiKeysDocs: Readonly<Record<string, ResourceDocs>> = {
  api_key: {
    description: 'A restricted API key. Its secret is shown once, when it is created or rotated.',
    fields: {
      prefix: 'The first 16 characters of the secret, for display.',
      scopes: 'What the key may do; a :write scope implies the matching :read. They never change.',
      legacy: 'Created before scopes existed; holds every :read scope.',
      secret: 'Text only in the answer that creates or rotates the key.',
      allowed_ips:
        'IPv4 addresses, CIDR ranges or exact IPv6 addresses the key may be used from; null: from anywhere.',
      expiring_at: 'Set by a rotation: when this key stops working.',
      rotated_from: 'The key this one replaced.',
    },
    example: apiKeyExample,
  },
};
