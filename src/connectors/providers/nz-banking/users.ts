import { parseInstant } from '../../../vocabulary/moments.ts';
import { malformed } from '../kit/json.ts';
import { idText, text } from '../kit/members.ts';
import type { NzBankingClient } from './client.ts';
import { itemOf } from './rows.ts';

/** Whose token it is. Names and addresses of the person are not looked at. */
export interface User {
  readonly id: string;
  /** Epoch milliseconds: when the person first shared something with the app. */
  readonly grantedAt: number;
}

/** The user of a token. */
export async function readUser(client: NzBankingClient, token: string, signal: AbortSignal): Promise<User> {
  const item = itemOf(await client.get(token, '/me', signal));
  const id = idText(item, '_id');
  if (id === null) throw malformed('a user has no id');
  const granted = text(item, 'access_granted_at');
  const at = granted === null ? null : parseInstant(granted);
  // Not documented as always there, and a link is not to fail for it.
  return { id, grantedAt: at ?? client.options.clock.now() };
}
