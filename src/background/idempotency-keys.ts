import type { Idempotency } from '../features/idempotency/idempotency.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { Periodic } from './periodic.ts';

const PRUNE_MS = 3_600_000;

export interface IdempotencyWorkOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly idempotency: Idempotency;
  /** Whether no other process can be on the database. */
  readonly alone: boolean;
}

/**
 * Frees what a dead process held, and forgets old idempotency keys (`idempotency_days`, docs/limits.md). Returns what
 * ends it.
 */
export async function startIdempotencyWork(
  options: IdempotencyWorkOptions,
  roles: readonly Role[],
): Promise<() => Promise<void>> {
  const { idempotency, alone } = options;
  if (alone) await idempotency.freeAll();
  if (!roles.includes('scheduler')) return async () => undefined;
  const pruning = new Periodic(options, 'idempotency keys', PRUNE_MS, () => idempotency.prune());
  pruning.start();
  return () => pruning.stop();
}
