import { parseInstant } from '../../../vocabulary/moments.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { idText, isWireObject, malformed, text } from '../kit/json.ts';
import type { CustomerAccess } from '../provider-contract.ts';
import { itemOf, type NzBankingClient } from './client.ts';

/** The version of the secret that is stored of a user. */
const VERSION = 1;

/** Whose token it is. Names and addresses of the person are ignored. */
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
  // Not documented as always present, and a link must not fail because of it.
  return { id, grantedAt: at ?? client.options.clock.now() };
}

/** What is stored of a user who signed in. */
export interface UserToken {
  readonly token: string;
  /** Epoch milliseconds; null for the owner of a personal app, of whom nothing is stored. */
  readonly grantedAt: number | null;
}

/** The secret of a customer. */
export function secretOf(token: string, grantedAt: number): string {
  return JSON.stringify({ v: VERSION, token, granted_at: grantedAt });
}

/**
 * The token for the user's data: their own, else that of the personal app. Raises UpstreamFailure if there is neither,
 * as for a personal connection once the service uses a full app.
 */
export function userTokenOf({ secret }: Pick<CustomerAccess, 'secret'>, personal: string | null): UserToken {
  const kept = secret.value === null ? null : readSecret(secret.value);
  if (kept !== null) return kept;
  if (secret.value !== null || personal === null)
    throw new UpstreamFailure('grant_rejected', 'There is no token of this user.');
  return { token: personal, grantedAt: null };
}

function readSecret(secret: string): UserToken | null {
  let kept: unknown;
  try {
    kept = JSON.parse(secret);
  } catch {
    return null;
  }
  return isWireObject(kept) &&
    kept.v === VERSION &&
    typeof kept.token === 'string' &&
    typeof kept.granted_at === 'number'
    ? { token: kept.token, grantedAt: kept.granted_at }
    : null;
}
