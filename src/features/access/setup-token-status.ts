import type { SimplefinSetupToken } from '../../storage/simplefin-setup-tokens.ts';
import type { SimplefinSetupTokenStatus } from '../../vocabulary/states.ts';

/** Status of a setup token at `now`, epoch ms; computed, never stored (docs/states.md#simplefin-setup-token). */
export function setupTokenStatus(
  token: Pick<SimplefinSetupToken, 'revoked_at' | 'claimed_at' | 'expires_at'>,
  now: number,
): SimplefinSetupTokenStatus {
  if (token.revoked_at !== null) return 'revoked';
  if (token.claimed_at !== null) return 'claimed';
  return token.expires_at.getTime() <= now ? 'expired' : 'open';
}
