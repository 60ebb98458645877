import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { BeginLink, BegunLink, CompleteLink, LinkedGrant, LinkOutcome } from '../provider-contract.ts';
import { type Group, groupsOf } from './account-set.ts';
import { accessOf, claimAddress } from './addresses.ts';
import type { SimplefinClient } from './client.ts';
import { consentOf } from './consent.ts';
import { windowAt } from './transaction-pages.ts';

/** There is no page of the vendor: the person made the token there, and comes straight back. */
export function beginLink(client: SimplefinClient, { redirectUri, state, entered }: BeginLink): BegunLink {
  const token = entered ?? '';
  if (claimAddress(token, client.rules).url === null)
    throw new UpstreamFailure('bad_request', 'This is not a setup token that can be claimed.');
  const back = new URL(redirectUri);
  back.searchParams.set('state', state);
  return { url: back.href, memo: token, expiresAt: null };
}

/**
 * Claims the token and links every institution that it shares. A token is claimed only once and nothing says whether a
 * claim without an answer was received, so whatever fails after it ends the link: the person makes another token.
 */
export async function completeLink(
  client: SimplefinClient,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  if (request.memo === '') return { kind: 'failed', reason: 'session_expired' };
  const claimed = await claim(client, request.memo, signal);
  if (typeof claimed !== 'string') return claimed;
  const access = accessOf(claimed, client.rules);
  // Refused like a token of our own bridge, whose accounts are here already.
  if (access === 'own') return { kind: 'failed', reason: 'not_eligible' };
  if (typeof access === 'string') return { kind: 'failed', reason: 'institution_error' };
  await request.keep?.(claimed);
  const groups = await groupsBehind(client, claimed, signal);
  if (groups === null) return { kind: 'failed', reason: 'institution_error' };
  const grants = ranked(groups, request).map((group) => grantOf(client, group, request));
  const [first, ...others] = grants;
  if (first === undefined) return { kind: 'failed', reason: 'not_eligible' };
  return {
    kind: 'linked',
    customer: { id: access.digest, secret: claimed },
    grants: [first, ...others],
  };
}

async function claim(
  client: SimplefinClient,
  token: string,
  signal: AbortSignal,
): Promise<string | LinkOutcome> {
  try {
    return (await client.claim(token, signal)) ?? { kind: 'failed', reason: 'authentication_failed' };
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { kind: 'failed', reason: error.situation === 'deadline' ? 'timeout' : 'institution_error' };
  }
}

/** Null if the server does not answer although it has just issued the access. */
async function groupsBehind(
  client: SimplefinClient,
  secret: string,
  signal: AbortSignal,
): Promise<readonly Group[] | null> {
  const access = client.access(secret);
  try {
    const set = await client.accountSet(access, windowAt(client.clock.now(), 0), true, signal);
    return groupsOf(set, access.host).filter(({ accounts }) => accounts.length > 0);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return null;
  }
}

/** The one that the link renews first: the same login, else one at the same institution. */
function ranked(groups: readonly Group[], { renew }: CompleteLink): readonly Group[] {
  if (renew === null) return groups;
  const rank = ({ consents, institution }: Group): number => {
    if (consents.has(renew.consent)) return 0;
    return institution.id === renew.institution ? 1 : 2;
  };
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

function grantOf(client: SimplefinClient, group: Group, { renew }: CompleteLink): LinkedGrant {
  const { institution, consents } = group;
  const id = renew !== null && consents.has(renew.consent) ? renew.consent : group.consent;
  return {
    grant: { consent: id, institution: institution.id },
    consent: consentOf(id, group.loginLost ? 'login_lost' : 'active', client.clock.now()),
    institution: { ...institution, logo: null },
  };
}
