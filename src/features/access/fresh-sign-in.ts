import type { Limits } from '../../vocabulary/limits.ts';

const MINUTE_MS = 60_000;

/**
 * Whether the person signed in so recently that it is surely they who sit at the browser: what would outlast the session
 * is asked of nobody else. `began`, `now`: epoch milliseconds.
 */
export function isFreshSignIn(
  began: number,
  now: number,
  limits: Pick<Limits, 'fresh_sign_in_minutes'>,
): boolean {
  return now - began < limits.fresh_sign_in_minutes * MINUTE_MS;
}
