import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, rowsOf, text } from '../kit/json.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type { AuBankingClient } from './client.ts';
import { activeGrants, withdrawConsent } from './linking.ts';

/**
 * The vendor's id of a person. Looked up first: after a creation whose answer was lost there must not be a second one.
 */
export async function createEndUser(
  client: AuBankingClient,
  email: string,
  signal: AbortSignal,
): Promise<string> {
  const [known] = await endUsersOf(client, email, signal);
  if (known !== undefined) return known;
  const answer = parseExact(await client.post('/v1/end-users', { email }, signal));
  const made = isWireObject(answer) ? (text(answer, 'end_user_id') ?? text(answer, 'id')) : null;
  if (made === null) throw malformed('it does not name the end user it made');
  return made;
}

/**
 * Ends the consents of everyone with the address, and of `id`, then deletes them. There may be two: if the vendor took
 * so long that the request was repeated.
 */
export async function deleteEndUsers(
  client: AuBankingClient,
  email: string,
  id: string | null,
  signal: AbortSignal,
): Promise<void> {
  const known = new Set(await endUsersOf(client, email, signal));
  if (id !== null) known.add(id);
  for (const user of known) await deleteEndUser(client, user, signal);
  if ((await endUsersOf(client, email, signal)).length > 0)
    throw new UpstreamFailure('other', 'The end user is still there after its deletion.');
}

async function deleteEndUser(client: AuBankingClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    for (const grant of await activeGrants(client, id, signal))
      await withdrawConsent(client, { customer: id, ...grant }, signal);
    await client.delete(`/v1/end-users/${encodeURIComponent(id)}`, signal);
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
}

/** `end_user_not_found`, by code or by status. */
function isUnknown(error: unknown): boolean {
  return error instanceof ErrorAnswer && (error.situation === 'grant_rejected' || error.status === 404);
}

async function endUsersOf(client: AuBankingClient, email: string, signal: AbortSignal): Promise<string[]> {
  const answer = await client.get('/v1/end-users', { email }, signal, { answer: 'list' });
  const rows = rowsOf(parseExact(answer), 'end_users');
  return rows
    .filter((row) => text(row, 'email')?.toLowerCase() === email.toLowerCase())
    .map((row) => text(row, 'id') ?? text(row, 'end_user_id'))
    .filter((id) => id !== null);
}
