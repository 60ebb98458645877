import type { RateLimiterCompatibleAbstract } from 'rate-limiter-flexible';
import type { SlotStore } from './heavy-slots.ts';
import type { QuotaLog } from './quota-log.ts';

/** Where processes share their counts. */
export interface CountStore {
  /** A limiter of `points` per window in seconds, with its buckets under `name`. */
  limiter(
    name: string,
    points: number,
    seconds: number,
  ): Pick<RateLimiterCompatibleAbstract, 'consume' | 'get'>;
  /** `places` for each caller, recorded under `name`. */
  slots(name: string, places: number): SlotStore;
  quotas(): QuotaLog;
  sweep(): Promise<void>;
  close(): Promise<void>;
}
