import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { malformed, text } from '../kit/json.ts';
import type {
  BeginLink,
  BegunLink,
  CompleteLink,
  LinkedGrant,
  LinkFailureReason,
  LinkOutcome,
  ProviderGrant,
} from '../provider-contract.ts';
import { itemsOf, type NzBankingClient } from './client.ts';
import { accountRows, grantsOf } from './connections.ts';
import { failureToEnd, isRevoked } from './failures.ts';
import { connectionRows, underFormerBank } from './institutions.ts';
import { readUser, secretOf, type User } from './users.ts';
import { stateFor } from './webhooks.ts';

const TYPES = ['TOKEN', 'ACCOUNT', 'TRANSACTION'] as const;

/**
 * Subscribes to the notifications about a user, with the user's id in the state of each. The vendor sends them to the
 * one address registered for the app. Without them new data is only noticed later, so a failure does not fail the link.
 */
async function subscribe(
  client: NzBankingClient,
  token: string,
  user: string,
  signal: AbortSignal,
): Promise<void> {
  const state = stateFor(user, client.options.appSecret);
  try {
    const answer = await client.get(token, '/webhooks', signal, { kind: { answer: 'list' } });
    const granted = itemsOf(answer, client.options.limits)
      .filter((row) => text(row, 'state') === state)
      .map((row) => text(row, 'type'));
    const missing = TYPES.filter((type) => !granted.includes(type));
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

const SCOPE = 'ENDURING_CONSENT';

const REASONS: ReadonlyMap<string, LinkFailureReason> = new Map([
  ['access_denied', 'consent_denied'],
  ['server_error', 'institution_error'],
  ['temporarily_unavailable', 'institution_error'],
]);

/** The address of the vendor's page, which asks for the banks itself and begins at the one that is known. */
export function beginLink(
  { options }: NzBankingClient,
  { redirectUri, state, institution, renew }: BeginLink,
): BegunLink {
  const bank = renew?.institution ?? institution;
  const url = new URL(options.oauthUrl);
  const query = {
    response_type: 'code',
    client_id: options.appToken,
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    ...(bank === null ? {} : { connection: bank }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { url: url.href, memo: '', expiresAt: null };
}

/** A personal app has no page: the person goes straight back. */
export function beginPersonalLink({ redirectUri, state }: BeginLink): BegunLink {
  const url = new URL(redirectUri);
  url.searchParams.set('state', state);
  return { url: url.href, memo: '', expiresAt: null };
}

/** The outcome of a sign-in: a token for every bank the user shares, including earlier ones. */
export async function completeLink(
  client: NzBankingClient,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  const { error, code } = request.query;
  if (error !== undefined) return { kind: 'failed', reason: REASONS.get(error) ?? 'unknown' };
  if (code === undefined) return { kind: 'failed', reason: 'unknown' };
  const token = text(await client.exchange(code, request.redirectUri, signal), 'access_token');
  if (token === null) throw malformed('it holds no token');
  await request.keep?.(secretOf(token, client.options.clock.now()));
  const outcome = await sharedBy(client, token, request.renew, signal);
  if (outcome === null) {
    await revokeToken(client, token, signal).catch(() => undefined);
    return { kind: 'failed', reason: 'not_eligible' };
  }
  await subscribe(client, token, outcome.user.id, signal);
  return {
    kind: 'linked',
    customer: { id: outcome.user.id, secret: secretOf(token, outcome.user.grantedAt) },
    grants: outcome.grants,
  };
}

/** The outcome of a link of a personal app: what its owner shares with it. The token stays in the configuration. */
export async function completePersonalLink(
  client: NzBankingClient,
  token: string,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  const outcome = await sharedBy(client, token, request.renew, signal);
  return outcome === null
    ? { kind: 'failed', reason: 'not_eligible' }
    : { kind: 'linked', customer: { id: outcome.user.id, secret: null }, grants: outcome.grants };
}

/**
 * Revokes the token, and with it every bank that the user shares. A token that the vendor does not know was already
 * revoked.
 */
export async function revokeToken(
  client: NzBankingClient,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.delete(token, '/token', signal);
  } catch (error) {
    if (!isRevoked(error)) throw failureToEnd(error);
  }
}

/** Whose token it is and what it gives access to; null if nothing is shared. */
async function sharedBy(
  client: NzBankingClient,
  token: string,
  renew: ProviderGrant | null,
  signal: AbortSignal,
): Promise<{ readonly user: User; readonly grants: readonly [LinkedGrant, ...LinkedGrant[]] } | null> {
  const user = await readUser(client, token, signal);
  const found = grantsOf(await accountRows(client, token, signal), user.grantedAt);
  const grants = renew === null ? found : await renewed(client, found, renew, signal);
  const [first, ...others] = grants;
  return first === undefined ? null : { user, grants: [first, ...others] };
}

/** The grant of the renewal comes first: the same login, else one at the same bank. */
async function renewed(
  client: NzBankingClient,
  grants: readonly LinkedGrant[],
  renew: ProviderGrant,
  signal: AbortSignal,
): Promise<LinkedGrant[]> {
  const atBank = grants.some(({ institution }) => institution.id === renew.institution);
  const named =
    atBank || client.options.appSecret === null
      ? grants
      : underFormerBank(grants, renew, await connectionRows(client, signal));
  const rank = ({ grant }: LinkedGrant): number => {
    if (grant.consent === renew.consent) return 0;
    return grant.institution === renew.institution ? 1 : 2;
  };
  return named.toSorted((a, b) => rank(a) - rank(b));
}
