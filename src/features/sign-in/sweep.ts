import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import { deleteInvitationsBefore } from '../../storage/invitations.ts';
import { deleteOneTimeLinksBefore } from '../../storage/one-time-links.ts';
import { deletePastChallenges } from '../../storage/passkey-challenges.ts';
import { deleteEndedWebSessions } from '../../storage/web-sessions.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { AuditLog } from '../audit/audit-log.ts';

const DAY_MS = 86_400_000;
/** How long links and invitations stay behind their end: long enough to be looked into. */
const KEPT_MS = 30 * DAY_MS;

/** Deletes sessions and challenges that have ended, links and invitations that ended long ago, and old audit events. */
export async function sweepSignIn({
  auditLog,
  db,
  clock,
  limits,
}: {
  readonly auditLog: Pick<AuditLog, 'sweep'>;
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
}): Promise<void> {
  const now = clock.now();
  const idleSince = new Date(now - limits.session_idle_days * DAY_MS);
  await deleteEndedWebSessions(db, new Date(now), idleSince);
  await deletePastChallenges(db, new Date(now));
  await deleteOneTimeLinksBefore(db, new Date(now - KEPT_MS));
  await deleteInvitationsBefore(db, new Date(now - KEPT_MS));
  await auditLog.sweep();
}
