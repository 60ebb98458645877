import type { Clock } from '../../../platform/clock.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { runFailure } from '../../destinations/destination-failures.ts';
import { withDeadline } from '../../provider-gateway/deadline.ts';

/**
 * One call of a connector around the chunks of a run, for at most LIMIT_FINISH_DEADLINE_MS, also when the connector does
 * not heed its signal. Raises what the call raises, a DestinationFailure `timeout`, or `halted.reason`.
 */
export async function withinFinishDeadline<T>(
  { clock, limits, halted }: { readonly clock: Clock; readonly limits: Limits; readonly halted: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(clock, limits.finish_deadline_ms, halted, call);
  } catch (error) {
    throw runFailure(error, 'unknown');
  }
}
