import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { idText, isWireObject, malformed, nameText, parseExact, text, type WireObject } from '../kit/json.ts';
import type { BeginLink, BegunLink, CompleteLink, LinkOutcome, ProviderGrant } from '../provider-contract.ts';
import { type AuBankingClient, type EndUserConsent, wireRows } from './client.ts';
import { failureReason, isActive, lastConsented, mapConsent } from './map-consent.ts';

/** What we ask a person to share: only what the resources of v2 need. */
export const PERMISSIONS: readonly string[] = ['accounts', 'balances', 'transactions'];

/**
 * Opens the vendor's hosted consent page. It has no `state` parameter: ours is in the addresses it sends people back
 * to.
 */
export async function beginLink(
  client: AuBankingClient,
  request: BeginLink,
  signal: AbortSignal,
): Promise<BegunLink> {
  const before =
    request.renew === null ? null : await findConsent(client, { ...request, ...request.renew }, signal);
  const back = (state: string): string => {
    const address = new URL(request.redirectUri);
    address.searchParams.set('state', state);
    return address.href;
  };
  const answer = parseExact(
    await client.post(
      '/v1/auth/session',
      {
        end_user_id: request.customer,
        redirect_uri: back(request.state),
        cancel_uri: back(request.refusal ?? request.state),
        permissions: PERMISSIONS,
        ...(request.institution === null ? {} : { institution_id: request.institution }),
        ...(request.renew === null ? {} : { arrangement_id: request.renew.consent }),
      },
      signal,
    ),
  );
  const url = isWireObject(answer) ? (text(answer, 'auth_url') ?? '') : '';
  const seconds = isWireObject(answer) ? Number(text(answer, 'expires_at') ?? Number.NaN) : Number.NaN;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw malformed('it opens no consent page');
  return {
    url,
    memo: before === null ? '' : agreement(before),
    expiresAt: Number.isFinite(seconds) ? seconds * 1000 : null,
  };
}

/**
 * The outcome of a link. The callback is untrusted and only decides why a link failed; which consent was given is read
 * from the vendor. A new link has its own end user, so its consent is that end user's; a renewal is recognised by what
 * has changed about the consent since the link began.
 */
export async function completeLink(
  client: AuBankingClient,
  request: CompleteLink,
  signal: AbortSignal,
): Promise<LinkOutcome> {
  if (request.query.error !== undefined) return { kind: 'failed', reason: failureReason(request.query) };
  const rows = await consentRows(client, request.customer, signal);
  const given = rows.filter((row) => answers(row, request));
  const row = given.toSorted((a, b) => (lastConsented(b) ?? 0) - (lastConsented(a) ?? 0))[0];
  if (row === undefined) return { kind: 'pending' };
  const consent = mapConsent(row);
  const institution = {
    id: institutionOf(row),
    name: nameText(row, 'institution_name', 'institutionName') ?? institutionOf(row),
    logo: text(row, 'institution_logo', 'institutionLogo'),
  };
  return { kind: 'linked', customer: null, grants: [{ grant: grantOf(row), consent, institution }] };
}

function answers(row: WireObject, request: CompleteLink): boolean {
  if (!isActive(row)) return false;
  if (request.renew !== null) return idOf(row) === request.renew.consent && agreement(row) !== request.memo;
  return request.institution === null || text(row, 'institution_id', 'institutionId') === request.institution;
}

/** Changes when a person agrees to the consent again, by the vendor's own clock. */
function agreement(row: WireObject): string {
  return JSON.stringify([lastConsented(row), isActive(row), mapConsent(row).expiresAt]);
}

/** Every consent of the end user. */
export async function activeGrants(
  client: AuBankingClient,
  customer: string,
  signal: AbortSignal,
): Promise<ProviderGrant[]> {
  return (await consentRows(client, customer, signal)).filter(isActive).map(grantOf);
}

/** Ends the consent. The vendor answers 204 to any id, so the consent is read afterwards. */
export async function withdrawConsent(
  client: AuBankingClient,
  grant: EndUserConsent,
  signal: AbortSignal,
): Promise<void> {
  await client.delete(`/v1/consent/${encodeURIComponent(grant.consent)}`, signal);
  const row = await findConsent(client, grant, signal);
  if (row !== null && isActive(row))
    throw new UpstreamFailure('other', 'The consent is still active after its withdrawal.');
}

function grantOf(row: WireObject): ProviderGrant {
  return { consent: mapConsent(row).id, institution: institutionOf(row) };
}

function institutionOf(row: WireObject): string {
  const institution = idText(row, 'institution_id', 'institutionId');
  if (institution === null) throw malformed('a consent does not name its institution');
  return institution;
}

const idOf = (row: WireObject): string | null => text(row, 'arrangement_id', 'arrangementId');

/** All consents of a person, including ended ones. */
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

/** The consent of a grant, or null if the vendor does not know it (any more). */
export async function findConsent(
  client: AuBankingClient,
  grant: Pick<EndUserConsent, 'customer' | 'consent'>,
  signal: AbortSignal,
): Promise<WireObject | null> {
  const rows = await consentRows(client, grant.customer, signal);
  return rows.find((row) => idOf(row) === grant.consent) ?? null;
}
