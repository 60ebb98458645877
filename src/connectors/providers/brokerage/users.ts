import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type { CustomerAccess, ProviderCustomer } from '../provider-contract.ts';
import { type BrokerageClient, secretOf } from './client.ts';
import { confirmed } from './connections.ts';
import { isRefusedSecret } from './failures.ts';

/** Registers a user under the key. The vendor shows the user's secret only in this answer. */
export async function registerUser(
  client: BrokerageClient,
  key: string,
  signal: AbortSignal,
): Promise<ProviderCustomer> {
  const call = { method: 'POST', path: '/snapTrade/registerUser', body: { userId: key } } as const;
  return { id: key, secret: secretOf(await client.own(call, signal)) };
}

/**
 * Deletes a user with all connections. The vendor only queues a deletion, so the user's secret is tried afterwards;
 * without a secret to try, the next attempt finds no user to delete.
 */
export async function deleteUser(
  client: BrokerageClient,
  key: string,
  access: CustomerAccess | null,
  signal: AbortSignal,
): Promise<void> {
  const userId = access?.customer ?? key;
  const gone = async () =>
    access !== null && access.secret.value !== null && !(await isKnown(client, access, signal));
  try {
    await client.own({ method: 'DELETE', path: '/snapTrade/deleteUser', query: { userId } }, signal);
  } catch (error) {
    if (error instanceof ErrorAnswer && error.status === 404) return;
    throw error;
  }
  if (!(await confirmed(gone, client.clock, signal)))
    throw new UpstreamFailure('temporarily_unavailable', 'The deletion of the user is still queued.');
}

async function isKnown(
  client: BrokerageClient,
  access: CustomerAccess,
  signal: AbortSignal,
): Promise<boolean> {
  // The secret as it is: a refused one must not be renewed here.
  const renew = (): Promise<string> => Promise.resolve(access.secret.value ?? '');
  const user = { customer: access.customer, secret: { value: access.secret.value, renew } };
  try {
    await client.user(user, { method: 'GET', path: '/authorizations', kind: { answer: 'list' } }, signal);
    return true;
  } catch (error) {
    if (isRefusedSecret(error)) return false;
    throw error;
  }
}
