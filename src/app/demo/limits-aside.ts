import { LIMITS } from '../../vocabulary/limits.ts';

const RATES = [
  'rate_cheap_per_minute',
  'rate_mid_per_minute',
  'rate_heavy_per_minute',
  'rate_mutating_per_minute',
  'rate_bridge_per_minute',
  'rate_handshake_per_minute',
  'rate_session_cheap_per_minute',
  'rate_session_mid_per_minute',
  'rate_session_heavy_per_minute',
  'rate_session_mutating_per_minute',
  'heavy_in_flight',
  'session_heavy_in_flight',
  'auth_failures_per_minute',
  'auth_attempts_per_minute',
  'session_requests_per_minute',
  'unattended_reads',
] as const;

/**
 * Settings for a service whose only caller is one of our scripts. It sends requests as fast as it can and polls
 * constantly; with the default limits it would mostly wait.
 */
export const LIMITS_ASIDE: Readonly<Record<string, string>> = Object.fromEntries(
  RATES.map((name) => [LIMITS[name].env, String(LIMITS[name].max)]),
);
