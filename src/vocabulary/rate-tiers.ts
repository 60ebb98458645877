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
  rate_session_cheap_per_minute: perMinute(1_200, 'LIMIT_RATE_SESSION_CHEAP', 'own'),
  rate_session_mid_per_minute: perMinute(600, 'LIMIT_RATE_SESSION_MID', 'own'),
  rate_session_heavy_per_minute: perMinute(300, 'LIMIT_RATE_SESSION_HEAVY', 'own'),
  rate_session_mutating_per_minute: perMinute(300, 'LIMIT_RATE_SESSION_MUTATING', 'own'),
};

type RateLimitName = keyof typeof RATE_TIER_LIMITS;

interface RateTierEntry {
  /** Of a key or an app. */
  readonly limit: RateLimitName;
  /** Of a session of the web application; null if sessions make no such request. */
  readonly session: RateLimitName | null;
}

/** Rate tiers of v2 operations, of the bridge and of what MCP clients ask before they call a tool (docs/scopes.md#rate-tiers). */
export const RATE_TIERS = {
  cheap: { limit: 'rate_cheap_per_minute', session: 'rate_session_cheap_per_minute' },
  mid: { limit: 'rate_mid_per_minute', session: 'rate_session_mid_per_minute' },
  heavy: { limit: 'rate_heavy_per_minute', session: 'rate_session_heavy_per_minute' },
  mutating: { limit: 'rate_mutating_per_minute', session: 'rate_session_mutating_per_minute' },
  bridge: { limit: 'rate_bridge_per_minute', session: null },
  handshake: { limit: 'rate_handshake_per_minute', session: null },
} as const satisfies Readonly<Record<string, RateTierEntry>>;

export type RateTier = keyof typeof RATE_TIERS;

/** Who shares the limits of an account record: its keys and apps, or the sessions of its people. Neither uses the other's. */
export const RATE_POOLS = ['keys', 'sessions'] as const;
export type RatePool = (typeof RATE_POOLS)[number];

/** The limit of one caller of the pool in a tier. */
export function tierLimitOf(tier: RateTier, pool: RatePool): RateLimitName {
  const { limit, session } = RATE_TIERS[tier];
  return pool === 'sessions' && session !== null ? session : limit;
}

/** Tiers whose requests take one of the slots for heavy requests in progress (`heavy_in_flight`, docs/limits.md). */
export const PLACED_TIERS: ReadonlySet<RateTier> = new Set<RateTier>(['heavy', 'bridge']);
