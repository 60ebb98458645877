import { LINK_FAILURE_REASONS } from '../../connectors/providers/provider-contract.ts';
import type { LinkSession } from '../../storage/link-sessions.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';

/** Why a session failed: the reasons that adapters report, and those that only this service detects. */
export const SESSION_FAILURE_REASONS = [
  ...LINK_FAILURE_REASONS,
  'connection_limit',
  'connection_deleted',
  'institution_mismatch',
  'too_many_attempts',
] as const;
export type SessionFailureReason = (typeof SESSION_FAILURE_REASONS)[number];

/** Status of a session at `now`, epoch ms: one that was not finished in time is `expired` without any write. */
export function linkSessionStatus(
  session: Pick<LinkSession, 'completed_at' | 'failed_at' | 'expires_at'>,
  now: number,
): LinkSessionStatus {
  if (session.completed_at !== null) return 'completed';
  if (session.failed_at !== null) return 'failed';
  return session.expires_at.getTime() <= now ? 'expired' : 'pending';
}
