import type { Clock } from '../../../platform/clock.ts';

/** Does work that is asked to end when its time is up. Raises what it raises, or `signal.reason` once that aborted. */
export async function withinSeconds<T>(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(seconds * 1000, done.signal).then(
    () => late.abort(),
    () => undefined,
  );
  try {
    return await work(late.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    done.abort();
  }
}
