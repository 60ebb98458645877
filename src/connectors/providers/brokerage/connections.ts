import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { ErrorAnswer } from '../kit/failures.ts';
import { isWireObject, malformed, parseExact, type WireObject } from '../kit/json.ts';
import { rowsOf } from '../kit/rows.ts';
import type { ProviderAccess } from '../provider-contract.ts';
import type { BrokerageClient, User } from './client.ts';
import { confirmed } from './confirmed.ts';
import { connectionId } from './map-connection.ts';

/** A connection under its user. */
export type UserConnection = Pick<ProviderAccess, 'customer' | 'secret' | 'consent'>;

/** Every connection of a user, disabled ones included. */
export async function connectionRows(
  client: BrokerageClient,
  user: User,
  signal: AbortSignal,
): Promise<WireObject[]> {
  const call = { method: 'GET', path: '/authorizations', kind: { answer: 'list' } } as const;
  const rows = rowsOf(parseExact(await client.user(user, call, signal)), 'authorizations');
  if (rows.length > client.limits.list_rows) throw malformed('its list does not end');
  return rows;
}

/** One connection, or null when the vendor does not know it (any more). */
export async function findConnection(
  client: BrokerageClient,
  connection: UserConnection,
  signal: AbortSignal,
): Promise<WireObject | null> {
  const path = `/authorizations/${encodeURIComponent(connection.consent)}`;
  try {
    const row = parseExact(await client.user(connection, { method: 'GET', path }, signal));
    if (!isWireObject(row) || connectionId(row) !== connection.consent)
      throw malformed('it is another connection');
    return row;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Deletes a connection. The vendor only queues it, so the connection is looked for afterwards. */
export async function deleteConnection(
  client: BrokerageClient,
  connection: UserConnection,
  signal: AbortSignal,
): Promise<void> {
  const path = `/connection/${encodeURIComponent(connection.consent)}`;
  try {
    await client.user(connection, { method: 'DELETE', path }, signal);
    const gone = async () => (await findConnection(client, connection, signal)) === null;
    if (await confirmed(gone, client.clock, signal)) return;
  } catch (error) {
    // A user who is not known any more has no connections, and is deleted next where the secret alone was lost.
    if (isMissing(error) || isUserGone(error)) return;
    throw error;
  }
  throw new UpstreamFailure('temporarily_unavailable', 'The deletion of the connection is still queued.');
}

export function isMissing(error: unknown): boolean {
  return error instanceof ErrorAnswer && error.status === 404;
}

function isUserGone(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure) || error.situation !== 'grant_rejected') return false;
  return !(error instanceof ErrorAnswer) || error.status === 401;
}
