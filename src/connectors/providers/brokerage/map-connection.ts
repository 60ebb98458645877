import { parseInstant } from '../../../vocabulary/moments.ts';
import { idText, inner, malformed, member, nameText, text, type WireObject } from '../kit/json.ts';
import type { LinkedGrant, ProviderConsent, ProviderInstitution } from '../provider-contract.ts';

/** What a read-only connection gives access to, in our own terms: the vendor lists none. */
const DATA_CATEGORIES: readonly string[] = ['accounts', 'balances', 'holdings', 'trades'];

/** A connection of the vendor as a consent. Raises UpstreamFailure for one without id or date. */
export function mapConsent(row: WireObject): ProviderConsent {
  const id = connectionId(row);
  const grantedAt = parseInstant(text(row, 'created_date') ?? '');
  if (id === null) throw malformed('a connection has no id');
  if (grantedAt === null) throw malformed('a connection does not say when it was made');
  return {
    id,
    state: isDisabled(row) ? 'login_lost' : 'active',
    grantedAt,
    expiresAt: null,
    purpose: null,
    dataCategories: DATA_CATEGORIES,
    terminationReason: null,
  };
}

/** For a connection that the vendor no longer knows: it keeps nothing of it, not even when it was made. */
export function endedConsent(id: string): ProviderConsent {
  return {
    id,
    state: 'ended',
    grantedAt: 0,
    expiresAt: null,
    purpose: null,
    dataCategories: DATA_CATEGORIES,
    terminationReason: null,
  };
}

export function connectionId(row: WireObject): string | null {
  return idText(row, 'id');
}

/** A disabled connection still answers with its last data. */
export function isDisabled(row: WireObject): boolean {
  return String(member(row, 'disabled', 'disabled')) === 'true';
}

/** The state of a connection. Changes when the person signs in at the broker again. */
export function agreement(row: WireObject): string {
  return JSON.stringify([isDisabled(row), text(row, 'disabled_date'), text(row, 'updated_date')]);
}

/**
 * Whether a person has signed in to the connection since `before`, its agreement then, or null if there was none. The
 * vendor has no member for that. A connection that works now and did not exist or was disabled then must have been
 * signed in to. If it worked all along, `updated_date` may also have changed for another reason, so the vendor's page
 * must also have named it when it sent the person back (`named`).
 */
export function isSignedIn(row: WireObject, before: unknown, named: boolean): boolean {
  if (isDisabled(row)) return false;
  if (wasDisabled(before)) return true;
  if (text(row, 'disabled_date') !== null) return false;
  return before === null || (named && before !== agreement(row));
}

/** An agreement begins with whether the connection was disabled. */
function wasDisabled(agreed: unknown): boolean {
  return typeof agreed === 'string' && agreed.startsWith('[true,');
}

/** A connection as it is linked. The broker is identified by its UUID, as in v1 (docs/compatibility.md). */
export function mapGrant(row: WireObject): LinkedGrant {
  const consent = mapConsent(row);
  const broker = inner(row, 'brokerage');
  const id = broker === null ? null : idText(broker, 'id');
  if (broker === null || id === null) throw malformed('a connection does not name its broker');
  return {
    grant: { consent: consent.id, institution: id },
    consent,
    institution: { id, name: brokerName(broker) ?? id, logo: logoOf(broker) },
  };
}

/** One broker of the list, or null for an entry without id or name, which no one could choose. */
export function mapInstitution(row: WireObject): ProviderInstitution | null {
  const id = idText(row, 'id');
  const name = brokerName(row);
  if (id === null || name === null) return null;
  const inMaintenance = flag(row, 'maintenance_mode');
  return {
    id,
    name,
    shortName: name,
    logo: logoOf(row) ?? '',
    available: flag(row, 'enabled') === true,
    status: inMaintenance === null ? null : inMaintenance ? 'OUTAGE' : 'ONLINE',
  };
}

function brokerName(row: WireObject): string | null {
  return nameText(row, 'display_name', 'name');
}

function logoOf(row: WireObject): string | null {
  return text(row, 'aws_s3_square_logo_url', 'aws_s3_logo_url');
}

function flag(row: WireObject, name: string): boolean | null {
  const value = member(row, name, name);
  return typeof value === 'boolean' ? value : null;
}
