import type { ApiKeyAuthenticator } from '../features/access/api-key-authenticator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

const EVERY_MS = 10_000;

export interface KeyUseOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly apiKeyAuthenticator: ApiKeyAuthenticator;
}

/** Writes down when keys were last used (`last_used_at`). Returns what ends it, after a last writing. */
export function startKeyUse(options: KeyUseOptions, roles: readonly Role[]): () => Promise<void> {
  if (!roles.includes('api')) return async () => undefined;
  const { apiKeyAuthenticator, log } = options;
  const writing = new Periodic(options, 'use of keys', EVERY_MS, () => apiKeyAuthenticator.flushLastUsed());
  writing.start();
  return async () => {
    await writing.stop();
    // A database that is gone must not keep the service from stopping.
    await apiKeyAuthenticator.flushLastUsed().catch((error: unknown) => {
      log.warn('The last use of some keys was not recorded.', {}, error);
    });
  };
}
