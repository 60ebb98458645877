import type { Invitation } from '../../storage/invitations.ts';
import type { OneTimeLink } from '../../storage/one-time-links.ts';
import type { InvitationStatus, OneTimeLinkStatus } from '../../vocabulary/states.ts';

/** Status at `now`, epoch ms; computed, never stored (docs/states.md#one-time-link). */
export function oneTimeLinkStatus(
  link: Pick<OneTimeLink, 'used_at' | 'expires_at'>,
  now: number,
): OneTimeLinkStatus {
  if (link.used_at !== null) return 'used';
  return link.expires_at.getTime() <= now ? 'expired' : 'open';
}

/** Status at `now`, epoch ms; computed, never stored (docs/states.md#invitation). */
export function invitationStatus(
  invitation: Pick<Invitation, 'accepted_at' | 'revoked_at' | 'expires_at'>,
  now: number,
): InvitationStatus {
  if (invitation.accepted_at !== null) return 'accepted';
  if (invitation.revoked_at !== null) return 'revoked';
  return invitation.expires_at.getTime() <= now ? 'expired' : 'open';
}
