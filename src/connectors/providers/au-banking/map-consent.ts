import { scrub } from '../../../platform/scrub.ts';
import { isMoment, parseInstant } from '../../../vocabulary/moments.ts';
import { idText, inner, malformed, member, nameText, text, texts, type WireObject } from '../kit/json.ts';
import type { LinkFailureReason, ProviderConsent, ProviderInstitution } from '../provider-contract.ts';

const MAX_WORDING = 500;
/** The standard has some twenty. */
const MOST_PERMISSIONS = 100;

/** One consent. A consent without id, or without the time it was given, is refused with an UpstreamFailure. */
export function mapConsent(row: WireObject): ProviderConsent {
  const id = idText(row, 'arrangement_id', 'arrangementId');
  const grantedAt = instant(row, 'created_at', 'createdAt');
  if (id === null) throw malformed('a consent has no id');
  if (grantedAt === null) throw malformed('a consent does not say when it was given');
  const seconds = Number(text(row, 'duration') ?? Number.NaN);
  const lasts = Number.isFinite(seconds) && seconds > 0 && isMoment(grantedAt + seconds * 1000);
  const byDuration = lasts ? grantedAt + seconds * 1000 : null;
  return {
    id,
    // The vendor does not report lost logins: a consent that does not work has ended.
    state: isActive(row) ? 'active' : 'ended',
    grantedAt,
    expiresAt: instant(row, 'expires_at', 'expiresAt') ?? byDuration,
    purpose: null,
    dataCategories: texts(row, 'permissions').slice(0, MOST_PERMISSIONS),
    terminationReason: wording(text(row, 'termination_reason', 'terminationReason')),
  };
}

/**
 * A bank may write anything here, and it is stored and shown: so it is cut, and numbers that could be an account's are
 * removed.
 */
function wording(reason: string | null): string | null {
  return reason === null ? null : scrub(reason, MAX_WORDING);
}

export function isActive(row: WireObject): boolean {
  return String(member(row, 'active', 'active')) === 'true';
}

/** When the person last agreed: at the start, or at the latest renewal in place. Epoch milliseconds, or null. */
export function lastConsented(row: WireObject): number | null {
  const first = instant(row, 'created_at', 'createdAt');
  const last = instant(row, 'last_consent', 'lastConsent');
  return first === null || last === null ? (first ?? last) : Math.max(first, last);
}

/** RFC 3339, or Unix seconds, as in some of the vendor's answers. */
function instant(row: WireObject, snake: string, camel: string): number | null {
  const sent = text(row, snake, camel);
  if (sent === null) return null;
  return /^\d{1,11}$/.test(sent) ? Number(sent) * 1000 : parseInstant(sent);
}

/** One bank of the list, or null for an entry without id or name, which no one could choose. */
export function mapInstitution(row: WireObject): ProviderInstitution | null {
  const id = idText(row, 'id');
  const name = nameText(row, 'name');
  if (id === null || name === null) return null;
  return {
    id,
    name,
    shortName: shortName(name),
    logo: text(row, 'logo') ?? text(row, 'icon') ?? '',
    available: String(member(row, 'is_accessible', 'isAccessible')) === 'true',
    status: institutionStatus(row),
  };
}

/** The name without words for the legal form of the company. */
function shortName(name: string): string {
  const short = name
    .replace(/\(.*?\)/g, ' ')
    .replace(/\b(limited|ltd|pty|of australia|australia|banking group|bank limited)\b\.?/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return short === '' ? name : short;
}

function institutionStatus(row: WireObject): ProviderInstitution['status'] {
  const status = inner(row, 'status');
  const connections = status === null ? null : inner(status, 'connections');
  switch (connections === null ? null : text(connections, 'status')) {
    case 'HEALTHY':
    case 'DEGRADED':
      return 'ONLINE';
    case 'OUTAGE':
      return 'OUTAGE';
    default:
      return null;
  }
}

const REASONS: ReadonlyMap<string, LinkFailureReason> = new Map([
  ['CONSENT_ENDUSER_DENIED', 'consent_denied'],
  ['AUTH_SESSION_CANCELLED', 'cancelled'],
  ['LINK_USER_CANCELLED', 'cancelled'],
  ['CONSENT_TIMEOUT', 'timeout'],
  ['LINK_TIMEOUT', 'timeout'],
  ['CONSENT_OTP_FAILURE', 'authentication_failed'],
  ['CONSENT_ENDUSER_INELIGIBLE', 'not_eligible'],
  ['CONSENT_UPSTREAM_PROCESSING_ERROR', 'institution_error'],
  ['AUTH_SESSION_INVALID', 'session_expired'],
  ['LINK_INVALID_SESSION', 'session_expired'],
]);

/** Why a link failed, from the query that the person returned with, which is untrusted and only compared. */
export function failureReason(callback: Readonly<Record<string, string>>): LinkFailureReason {
  const known = REASONS.get(callback.error_type ?? '');
  return known ?? (callback.error === 'access_denied' ? 'consent_denied' : 'unknown');
}
