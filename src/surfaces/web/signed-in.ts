import type { FastifyRequest } from 'fastify';
import { isFreshSignIn } from '../../features/access/caller.ts';
import { byCaller } from '../../features/audit/audit-log.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { AuditKind } from '../../vocabulary/audit-kinds.ts';
import { originOf } from '../http/request-url.ts';
import type { WebOptions } from './web-options.ts';

/** Does what a signed-in person requests and records it in the audit log of their account record, or neither. */
export function audited<T>(
  { auditLog }: Pick<WebOptions, 'auditLog'>,
  { caller }: SignedIn,
  request: FastifyRequest,
  { kind, target = null }: { readonly kind: AuditKind; readonly target?: string | null },
  work: () => Promise<T>,
): Promise<T> {
  const entry = { kind, by: byCaller(caller), from: originOf(request), target };
  return auditLog.recording(caller.accountRecord.id, work, () => entry);
}

/** Whether the person may make changes that outlast their session. */
export function isFresh(
  { began }: SignedIn,
  { clock, limits }: Pick<WebOptions, 'clock' | 'limits'>,
): boolean {
  return isFreshSignIn(began, clock.now(), limits);
}
