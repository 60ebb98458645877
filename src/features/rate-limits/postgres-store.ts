import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { OpenDatabase } from '../../storage/database.ts';
import { deletePastCounts, openCounterDatabase } from '../../storage/rate-counters.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { CountStore } from './count-store.ts';
import { PostgresQuotaLog } from './postgres-quota-log.ts';
import { PostgresSlots } from './postgres-slots.ts';

/** Counts in the installation's Postgres; null for the embedded database, which only this process has. */
export function openPostgresStore(options: {
  readonly database: OpenDatabase;
  readonly limits: Pick<Limits, 'count_store_deadline_ms'>;
  readonly clock: Clock;
}): CountStore | null {
  const { database, limits, clock } = options;
  const counting = openCounterDatabase(database, limits.count_store_deadline_ms);
  if (counting === null) return null;
  return {
    limiter: (name, points, seconds) =>
      new RateLimiterPostgres({
        storeClient: counting.pool,
        storeType: 'pool',
        tableName: 'rate_counters',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: seconds,
        inMemoryBlockOnConsumed: points + 1,
      }),
    slots: (name, places) => new PostgresSlots(counting.db, name, places),
    quotas: () => new PostgresQuotaLog(counting.db),
    sweep: () => deletePastCounts(counting.db, new Date(clock.now())),
    close: () => counting.close(),
  };
}
