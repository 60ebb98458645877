/**
 * Rate tiers of v2 operations, of the bridge and of the requests that MCP clients make before they call a tool
 * (docs/scopes.md#rate-tiers). Requests a minute, per caller.
 */
export const RATE_TIERS = {
  cheap: { limit: 'rate_cheap_per_minute' },
  mid: { limit: 'rate_mid_per_minute' },
  heavy: { limit: 'rate_heavy_per_minute' },
  mutating: { limit: 'rate_mutating_per_minute' },
  bridge: { limit: 'rate_bridge_per_minute' },
  handshake: { limit: 'rate_handshake_per_minute' },
} as const;

export type RateTier = keyof typeof RATE_TIERS;

/** Tiers whose requests take one of the slots for heavy requests in progress (`heavy_in_flight`, docs/limits.md). */
export const PLACED_TIERS: ReadonlySet<RateTier> = new Set<RateTier>(['heavy', 'bridge']);
