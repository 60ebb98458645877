import type { OAuthSweep } from '../features/oauth/oauth-sweep.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

const EVERY_MS = 900_000;

export interface OAuthWorkOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly sweep: OAuthSweep;
}

/** Deletes expired tokens, requests and grants, and apps that registered and were never let in. Returns what ends it. */
export function startOAuthSweep(options: OAuthWorkOptions, roles: readonly Role[]): () => Promise<void> {
  if (!roles.includes('scheduler')) return async () => undefined;
  const sweeping = new Periodic(options, 'expired tokens of apps', EVERY_MS, () => options.sweep.run());
  sweeping.start();
  return () => sweeping.stop();
}
