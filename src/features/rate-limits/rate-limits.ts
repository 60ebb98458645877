import type { AuthAttempts } from './auth-attempts.ts';
import type { HeavySlots } from './heavy-slots.ts';
import type { TierLimits } from './tier-limits.ts';

/** Everything that bounds how much anybody may ask (SPEC, Limits). */
export interface RateLimits {
  readonly attempts: AuthAttempts;
  readonly tiers: TierLimits;
  readonly heavy: HeavySlots;
  /** Deletes what was counted in windows that are over, where the store does not do so by itself. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}
