import type { Static } from 'typebox';
import type { apiKeySchema } from '../schemas/api-keys.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const apiKey: Static<typeof apiKeySchema> = {
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
const secret = 'trib_live_EXAMPLEkeyEXAMPLEkeyEXAMPLEkey000000';
const fresh = { ...apiKey, secret, last_used_at: null };

export const apiKeysNoun: Noun = {
  tag: 'api_keys',
  description: 'Keys that hold scopes. A key can never be given a scope its creator lacks.',
  resources: {
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
      example: apiKey,
    },
  },
  operations: {
    create_api_key: {
      description: 'Keep the secret: it cannot be shown again.',
      sent: {
        scopes: 'What the key may do; none that the calling key lacks.',
        allowed_ips:
          'IPv4 addresses, CIDR ranges or exact IPv6 addresses; null or absent: from anywhere. Within those of the calling key, where it has any.',
        expires_at: 'RFC 3339, in the future; not after the end of the calling key, where it has one.',
      },
      body: {
        name: 'Budget script',
        scopes: ['data:read', 'syncs:write'],
        allowed_ips: ['203.0.113.0/24'],
        metadata: { owner: 'finance' },
      },
      answer: fresh,
    },
    update_api_key: {
      description: 'Only name and metadata change. A metadata key set to null is removed.',
      body: { name: 'Budget script, at night', metadata: { owner: null } },
    },
    rotate_api_key: {
      description:
        'Answers the replacement, with its secret. The old key is `expiring` and works until `grace` is over: `7d` unless said otherwise, and at most.',
      body: { grace: '24h' },
      answer: { ...fresh, id: exampleId('api_key', 2), rotated_from: apiKey.id },
    },
  },
};
