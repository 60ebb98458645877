import type { ServiceError } from './service-error.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

/**
 * Why a request was answered with a status of 5xx. `service`: a fault of our own. `store`: the database is unreachable.
 * `upstream`: a bank, a provider or a destination did not answer, or is given a rest; the service is well.
 */
export const FAILURE_CAUSES = ['service', 'store', 'upstream'] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** Null for an error that is answered with a status below 500. */
export function failureCause(error: ServiceError): FailureCause | null {
  if (error.status < 500) return null;
  if (isStoreUnavailable(error)) return 'store';
  return error.type === 'api_error' ? 'service' : 'upstream';
}
