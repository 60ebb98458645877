import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

const EVERY_MS = 10_000;

/** Notes who was used, and writes it down when asked to. */
interface LastUseWriter {
  flushLastUsed(): Promise<void>;
}

export interface KeyUseOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authenticators: readonly LastUseWriter[];
}

/** Writes down when keys and apps of the bridge were last used (`last_used_at`). Returns what ends it, after a last writing. */
export function startKeyUse(options: KeyUseOptions, roles: readonly Role[]): () => Promise<void> {
  if (!roles.includes('api')) return async () => undefined;
  const { authenticators, log } = options;
  const flush = async (): Promise<void> => {
    for (const authenticator of authenticators) await authenticator.flushLastUsed();
  };
  const writing = new Periodic(options, 'use of keys', EVERY_MS, flush);
  writing.start();
  return async () => {
    await writing.stop();
    // A database that is gone must not keep the service from stopping.
    await flush().catch((error: unknown) => {
      log.warn('The last use of some keys was not recorded.', {}, error);
    });
  };
}
