import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

const SWEEP_MS = 600_000;

export interface SignInWorkOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly sweep: () => Promise<void>;
}

/** Deletes sessions, links and challenges that have ended by themselves. Returns what ends it. */
export function startSignInWork(options: SignInWorkOptions, roles: readonly Role[]): () => Promise<void> {
  if (!roles.includes('scheduler')) return async () => undefined;
  const sweeping = new Periodic(options, 'ended sessions and links', SWEEP_MS, options.sweep);
  sweeping.start();
  return () => sweeping.stop();
}
