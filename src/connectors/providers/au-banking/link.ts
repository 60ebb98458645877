import type { BeginLink, BegunLink, CompleteLink, LinkOutcome, ProviderGrant } from '../provider-contract.ts';
import type { AuBankingClient } from './client.ts';
import { failureReason, isActive, lastConsented, mapConsent } from './map-consent.ts';
import { wireRows } from './paging.ts';
import { isWireObject, malformed, parseExact, rowsOf, text, type WireObject } from './wire.ts';

/** What we ask a person to share: what SPEC's resources need and nothing else. */
const PERMISSIONS = ['accounts', 'balances', 'transactions'];
/** The vendor's clock and ours may differ by this much. */
const CLOCK_SKEW_MS = 120_000;

/** The vendor's id of a person. Looked up first: a create whose answer was lost must not make a second one. */
export async function createCustomer(
  client: AuBankingClient,
  email: string,
  signal: AbortSignal,
): Promise<string> {
  const found = rowsOf(parseExact(await client.get('/v1/end-users', { email }, signal)), 'end_users');
  const same = found.find((row) => text(row, 'email')?.toLowerCase() === email.toLowerCase());
  const known = same === undefined ? null : (text(same, 'id') ?? text(same, 'end_user_id'));
  if (known !== null) return known;
  const answer = parseExact(await client.post('/v1/end-users', { email }, signal));
  const made = isWireObject(answer) ? (text(answer, 'end_user_id') ?? text(answer, 'id')) : null;
  if (made === null) throw malformed('it does not name the end user it made');
  return made;
}

/** Opens the vendor's hosted consent page. */
export async function beginLink(
  client: AuBankingClient,
  request: BeginLink,
  signal: AbortSignal,
): Promise<BegunLink> {
  const answer = parseExact(
    await client.post(
      '/v1/auth/session',
      {
        end_user_id: request.customer,
        redirect_uri: request.successUrl,
        cancel_uri: request.failureUrl,
        permissions: PERMISSIONS,
        ...(request.institution === null ? {} : { institution_id: request.institution }),
        ...(request.renew === null ? {} : { arrangement_id: request.renew.consent }),
      },
      signal,
    ),
  );
  const url = isWireObject(answer) ? (text(answer, 'auth_url') ?? '') : '';
  const session = isWireObject(answer) ? text(answer, 'session_id') : null;
  if (session === null || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw malformed('it opens no consent page');
  return { url, state: session };
}

/**
 * What came of a link. The landing is untrusted and decides only why a link failed; which consent was given is read
 * from the vendor: the one agreed to, or renewed, since the link began.
 */
export async function completeLink(
  client: AuBankingClient,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  if (request.outcome === 'failure') return { kind: 'failed', reason: failureReason(request.landing) };
  const rows = await consentRows(client, request.customer, signal);
  const given = rows.filter((row) => answers(row, request));
  const row = given.toSorted((a, b) => (lastConsented(b) ?? 0) - (lastConsented(a) ?? 0))[0];
  if (row === undefined) return { kind: 'pending' };
  const consent = mapConsent(row);
  const institution = text(row, 'institution_id', 'institutionId');
  if (institution === null) throw malformed('a consent does not name its institution');
  return {
    kind: 'linked',
    grant: { customer: request.customer, consent: consent.id, institution },
    consent,
    institution: {
      id: institution,
      name: text(row, 'institution_name', 'institutionName') ?? institution,
      logo: text(row, 'institution_logo', 'institutionLogo'),
    },
  };
}

function answers(row: WireObject, request: CompleteLink): boolean {
  if (!isActive(row) || (lastConsented(row) ?? 0) < request.startedAt - CLOCK_SKEW_MS) return false;
  if (request.renew !== null) return text(row, 'arrangement_id', 'arrangementId') === request.renew.consent;
  if (request.claimed.has(text(row, 'arrangement_id', 'arrangementId') ?? '')) return false;
  return request.institution === null || text(row, 'institution_id', 'institutionId') === request.institution;
}

/** All consents of a person, ended ones included. */
export function consentRows(
  client: AuBankingClient,
  customer: string,
  signal: AbortSignal,
): Promise<WireObject[]> {
  return wireRows(
    client,
    { path: '/v1/consent', query: { end_user_id: customer }, plural: 'consents' },
    signal,
  );
}

/** The consent of a grant, or null when the vendor does not know it (any more). */
export async function findConsent(
  client: AuBankingClient,
  grant: ProviderGrant,
  signal: AbortSignal,
): Promise<WireObject | null> {
  const rows = await consentRows(client, grant.customer, signal);
  return rows.find((row) => text(row, 'arrangement_id', 'arrangementId') === grant.consent) ?? null;
}
