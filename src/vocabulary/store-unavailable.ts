import { ServiceError } from './service-error.ts';

/** When a caller should try again: a store is in use again within seconds after it returns. */
const RETRY_SECONDS = 5;

/**
 * A store did not answer within its deadline or cannot be reached. Work that raises it may be repeated once the store
 * is back. A statement in progress may have taken effect although no response arrived.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly store: 'database';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The database is unavailable: ${reason}`, options);
    this.store = 'database';
  }
}

/** The database cannot be used by this version; the message says why and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** A migration had to wait too long for others that use the database; the message says for whom, and what to do. */
export class MigrationBlocked extends Error {
  override readonly name = 'MigrationBlocked';
}

/** Whether the error, or one that caused it, is a store that is unavailable. */
export function isStoreUnavailable(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof StoreUnavailableError) return true;
  }
  return false;
}

/** The response to a caller when a store is unavailable (docs/stores.md); null for any other failure. */
export function storeFailure(error: unknown): ServiceError | null {
  if (!isStoreUnavailable(error)) return null;
  return new ServiceError('gateway_unavailable', {
    message:
      'The service cannot reach its database at the moment. Retry after Retry-After seconds; repeat a write with ' +
      'the same Idempotency-Key, because the first attempt may have taken effect.',
    retryAfterSeconds: RETRY_SECONDS,
    cause: error,
  });
}
