import type { RateLimiterCompatibleAbstract } from 'rate-limiter-flexible';
import type { SlotStore } from './leased-slots.ts';
import type { QuotaLog } from './quota-log.ts';

/** Where processes share their counts. */
export interface CountStore {
  /** A limiter of `points` per window in seconds, with its buckets under `name`. */
  limiter(
    name: string,
    points: number,
    seconds: number,
  ): Pick<RateLimiterCompatibleAbstract, 'consume' | 'get'>;
  /** Slots of account records, recorded under `name`. */
  slots(name: string): SlotStore;
  quotas(): QuotaLog;
  sweep(): Promise<void>;
  close(): Promise<void>;
}
