import type { Clock } from '../../platform/clock.ts';
import { requireNoTransaction } from '../../storage/unit-of-work.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/**
 * Runs `work` for at most `ms`, even if it ignores its signal. Raises UpstreamFailure `deadline`, or `signal.reason` if
 * the caller left first. Raises TypeError within a transaction of a unit of work, which would stay open for that long:
 * an operation must make outside calls before it writes if its effect is `commits`, or declare `reaches_out`.
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  requireNoTransaction();
  const done = new AbortController();
  const late = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  clock.sleep(ms, done.signal).then(
    () => late.abort(new UpstreamFailure('deadline', `It did not answer within ${ms} ms.`)),
    () => undefined,
  );
  try {
    return await untilAborted(either, work(either));
  } finally {
    done.abort(DONE);
  }
}

const DONE = 'the work is done';

/**
 * Not Promise.race: the loser of a race stays attached to the result, and a listener left on a signal that outlives the
 * work would keep every page of a long stream in memory.
 */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const settle = () => signal.removeEventListener('abort', abort);
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
