import type { Limits } from '../../src/vocabulary/limits.ts';
import type { TestService } from './service.ts';

const hurried = new WeakMap<Limits, { ms: number | null }>();

/** The limits, of which a test may shorten one while the service runs. */
export function adjustable(limits: Limits): Limits {
  const deadline: { ms: number | null } = { ms: null };
  const adjusted: Limits = {
    ...limits,
    get read_deadline_ms() {
      return deadline.ms ?? limits.read_deadline_ms;
    },
  };
  hurried.set(adjusted, deadline);
  return adjusted;
}

/**
 * Does the work while reads of providers are given up after this long. Only then: what prepares a test reads as well,
 * and on a slow machine takes longer.
 */
export async function withReadDeadline<T>(
  { app }: Pick<TestService, 'app'>,
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = hurried.get(app.config.limits);
  if (deadline === undefined) throw new TypeError('the service was not started by startService()');
  deadline.ms = ms;
  try {
    return await work();
  } finally {
    deadline.ms = null;
  }
}
