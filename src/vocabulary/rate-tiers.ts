/** How many requests a minute one caller may make in a tier; an operator may set another number. */
const perMinute = (requests: number, env: string, source: 'contract' | 'own') => ({
  default: requests,
  env,
  min: 1,
  max: 1_000_000_000,
  unit: 'requests a minute',
  source,
});

/** The limits of the tiers; they are part of LIMITS, and of docs/limits.md. */
export const RATE_TIER_LIMITS = {
  rate_cheap_per_minute: perMinute(60, 'LIMIT_RATE_CHEAP', 'contract'),
  rate_mid_per_minute: perMinute(30, 'LIMIT_RATE_MID', 'contract'),
  rate_heavy_per_minute: perMinute(30, 'LIMIT_RATE_HEAVY', 'contract'),
  rate_mutating_per_minute: perMinute(30, 'LIMIT_RATE_MUTATING', 'contract'),
  rate_bridge_per_minute: perMinute(300, 'LIMIT_RATE_BRIDGE', 'contract'),
  rate_handshake_per_minute: perMinute(600, 'LIMIT_RATE_HANDSHAKE', 'own'),
};

/** Rate tiers of v2 operations, of the bridge and of what MCP clients ask before they call a tool (docs/scopes.md#rate-tiers). */
export const RATE_TIERS = {
  cheap: { limit: 'rate_cheap_per_minute' },
  mid: { limit: 'rate_mid_per_minute' },
  heavy: { limit: 'rate_heavy_per_minute' },
  mutating: { limit: 'rate_mutating_per_minute' },
  bridge: { limit: 'rate_bridge_per_minute' },
  handshake: { limit: 'rate_handshake_per_minute' },
} as const satisfies Readonly<Record<string, { readonly limit: keyof typeof RATE_TIER_LIMITS }>>;

export type RateTier = keyof typeof RATE_TIERS;

/** Tiers whose requests take one of the slots for heavy requests in progress (`heavy_in_flight`, docs/limits.md). */
export const PLACED_TIERS: ReadonlySet<RateTier> = new Set<RateTier>(['heavy', 'bridge']);
