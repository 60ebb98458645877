import { createHash } from 'node:crypto';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';

/** The hash under which one consent of a vendor makes one connection, however often it is reported. */
export function consentHash(provider: ProviderIdentifier, consent: string): Buffer {
  return createHash('sha256').update(`${provider}\n${consent}`).digest();
}

/** The hash under which one customer of a vendor is stored once for an account record, no matter who signs in again. */
export function customerHash(provider: ProviderIdentifier, customer: string): Buffer {
  return createHash('sha256').update(`${provider}\ncustomer\n${customer}`).digest();
}

/** The hash under which one notification of a vendor is acted on once. */
export function notificationHash(provider: ProviderIdentifier, id: string): Buffer {
  return createHash('sha256').update(`${provider}\nnotification\n${id}`).digest();
}
