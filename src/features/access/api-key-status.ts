import type { ApiKey } from '../../storage/api-keys.ts';
import type { ApiKeyStatus } from '../../vocabulary/states.ts';

/** The status of a key at a moment (docs/states.md#api-key): computed, so time alone can end a key. */
export function apiKeyStatus(
  key: Pick<ApiKey, 'revoked_at' | 'expires_at' | 'expiring_at'>,
  now: number,
): ApiKeyStatus {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at.getTime() <= now) return 'expired';
  if (key.expiring_at === null) return 'active';
  return key.expiring_at.getTime() <= now ? 'expired' : 'expiring';
}
