import type { Clock } from '../../platform/clock.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/**
 * Runs `work` for at most `ms`, also when it does not heed its signal. Raises UpstreamFailure `deadline`, or
 * `signal.reason` when the caller went away first.
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const done = new AbortController();
  const late = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  clock.sleep(ms, done.signal).then(
    () => late.abort(new UpstreamFailure('deadline', `It did not answer within ${ms} ms.`)),
    () => undefined,
  );
  try {
    return await Promise.race([work(either), rejectedBy(either)]);
  } finally {
    done.abort();
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  rejected.catch(() => undefined);
  return rejected;
}
