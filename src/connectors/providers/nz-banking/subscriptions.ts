import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { text } from '../kit/members.ts';
import type { NzBankingClient } from './client.ts';
import { stateFor } from './notification-state.ts';
import { itemsOf } from './rows.ts';

const TYPES = ['TOKEN', 'ACCOUNT', 'TRANSACTION'] as const;

/**
 * Asks for the notifications about a user, with the user's id in the state of each. The vendor sends them to the one address that is
 * registered for the app. Without them data is only noticed later, so a link does not fail for them.
 */
export async function subscribe(
  client: NzBankingClient,
  token: string,
  user: string,
  signal: AbortSignal,
): Promise<void> {
  const state = stateFor(user, client.options.appSecret);
  try {
    const answer = await client.get(token, '/webhooks', signal, { kind: { answer: 'list' } });
    const held = itemsOf(answer, client.options.limits)
      .filter((row) => text(row, 'state') === state)
      .map((row) => text(row, 'type'));
    const missing = TYPES.filter((type) => !held.includes(type));
    await Promise.all(
      missing.map((type) => client.post(token, '/webhooks', { webhook_type: type, state }, signal)),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UpstreamFailure)) throw error;
    client.options.log.warn('The provider accepted no subscription to its notifications.', {
      situation: error.situation,
    });
  }
}
