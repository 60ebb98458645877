import type { Trx } from '../../storage/database.ts';
import { openLinkSessions } from '../../storage/link-sessions.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/**
 * For a transaction that holds the account record and is about to open a session. Raises `rate_limit_exceeded` while
 * `most` are open, until the first of them ends by itself.
 */
export async function requireSessionRoom(
  trx: Trx,
  owner: RowId<'account_record'>,
  most: number,
  now: number,
): Promise<void> {
  const { count, nextEnd } = await openLinkSessions(trx, owner, new Date(now));
  if (count < most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(((nextEnd?.getTime() ?? now) - now) / 1000));
  throw new ServiceError('rate_limit_exceeded', {
    message: `${most} link sessions are open, which is the maximum; complete one, or wait until the first expires.`,
    retryAfterSeconds,
  });
}
