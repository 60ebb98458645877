import type { Static } from 'typebox';
import { setupTokenStatus } from '../../features/access/setup-token-status.ts';
import type { SimplefinSetupToken } from '../../storage/simplefin-setup-tokens.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { simplefinSetupTokenSchema } from '../schemas/simplefin-setup-tokens.ts';
import { moment, momentOrNull } from './moments.ts';

/** `setupToken`: as `setupTokenText` writes it, given only by create. */
export function presentSimplefinSetupToken(
  token: SimplefinSetupToken,
  now: number,
  setupToken: string | null = null,
): Static<typeof simplefinSetupTokenSchema> {
  return {
    id: publicId('simplefin_setup_token', token.id),
    object: 'simplefin_setup_token',
    name: token.name,
    two_decimals: token.two_decimals,
    leave_out_extra: token.leave_out_extra,
    setup_token: setupToken,
    status: setupTokenStatus(token, now),
    expires_at: moment(token.expires_at),
    claimed_at: momentOrNull(token.claimed_at),
    app: token.app === null ? null : publicId('simplefin_app', token.app),
    livemode: true,
    created: moment(token.created),
    updated: moment(token.updated),
  };
}
