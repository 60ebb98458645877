import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../storage/database.ts';
import { deletePastCounts, openCounterDatabase } from '../../storage/rate-counters.ts';
import type { CountStore } from './count-store.ts';
import { PostgresSlots } from './postgres-slots.ts';

const STATEMENT_PATIENCE_MS = 1_000;

/** Counts in the installation's Postgres; null for the embedded database, which only this process has. */
export function openPostgresStore(options: {
  readonly database: OpenDatabase;
  readonly windowSeconds: number;
  readonly clock: Clock;
}): CountStore | null {
  const { database, windowSeconds, clock } = options;
  const counting = openCounterDatabase(database, STATEMENT_PATIENCE_MS);
  if (counting === null) return null;
  return {
    limiter: (name, points) =>
      new RateLimiterPostgres({
        storeClient: counting.pool,
        storeType: 'pool',
        tableName: 'rate_counters',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: windowSeconds,
        inMemoryBlockOnConsumed: points + 1,
      }),
    slots: (places) => new PostgresSlots(counting.db, places),
    sweep: () => deletePastCounts(counting.db, new Date(clock.now())),
    close: () => counting.close(),
  };
}
