import { type ConnectionStatus, type ConsentStatus, EXPIRING_DAYS } from '../../vocabulary/states.ts';

const EXPIRING_MS = EXPIRING_DAYS * 86_400_000;

export interface ConsentMoments {
  readonly expires_at: Date | null;
  readonly withdrawn_at: Date | null;
}

export interface ConnectionMoments {
  readonly landed_at: Date | null;
  readonly invalidated_at: Date | null;
  readonly revoked_at: Date | null;
}

/**
 * Status of a consent at `now`, epoch ms. One that ended before its time stays `withdrawn` after it
 * (docs/resources.md#consent).
 */
export function consentStatus(consent: ConsentMoments, now: number): ConsentStatus {
  if (consent.withdrawn_at !== null && precedes(consent.withdrawn_at, consent.expires_at)) return 'withdrawn';
  if (consent.expires_at === null) return 'active';
  const end = consent.expires_at.getTime();
  if (end <= now) return 'expired';
  return end <= now + EXPIRING_MS ? 'expiring' : 'active';
}

/**
 * Status of a connection at `now`, epoch ms (docs/resources.md#connection). Never stored, so it cannot be out of date.
 * The database filters by the same decision in storage/connections.ts.
 */
export function connectionStatus(
  connection: ConnectionMoments,
  consent: Pick<ConsentMoments, 'expires_at'> | null,
  now: number,
): ConnectionStatus {
  const end = consent?.expires_at ?? null;
  if (connection.revoked_at !== null) return 'revoked';
  if (connection.invalidated_at !== null && precedes(connection.invalidated_at, end)) return 'invalidated';
  if (end !== null && end.getTime() <= now) return 'expired';
  if (connection.landed_at === null) return 'pending';
  return end !== null && end.getTime() <= now + EXPIRING_MS ? 'expiring' : 'active';
}

function precedes(moment: Date, end: Date | null): boolean {
  return end === null || moment.getTime() < end.getTime();
}
