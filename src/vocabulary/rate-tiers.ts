/** Rate tiers of v2 operations (docs/scopes.md#rate-tiers). Requests a minute, per key. */
export const RATE_TIERS = {
  cheap: { limit: 'rate_cheap_per_minute' },
  mid: { limit: 'rate_mid_per_minute' },
  heavy: { limit: 'rate_heavy_per_minute' },
  mutating: { limit: 'rate_mutating_per_minute' },
} as const;

export type RateTier = keyof typeof RATE_TIERS;
