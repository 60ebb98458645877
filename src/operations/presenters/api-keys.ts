import type { Static } from 'typebox';
import { apiKeyStatus } from '../../features/access/api-key-status.ts';
import type { ApiKey } from '../../storage/api-keys.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { LEGACY_SCOPES } from '../../vocabulary/scopes.ts';
import type { apiKeySchema } from '../schemas/api-keys.ts';
import { moment, momentOrNull } from './moments.ts';

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
