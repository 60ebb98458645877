import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { asUpstream, VendorRefusal } from '../kit/failures.ts';

/** YNAB says nothing of when; its quota rolls over an hour. */
const AFTER_QUOTA_S = 900;

/** A call while linking or listing. Raises UpstreamFailure, or `signal.reason`. */
export async function ynabRead<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await asUpstream(call, signal);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    const { cause, message, situation } = error;
    if (cause instanceof VendorRefusal && cause.status === 404)
      throw new UpstreamFailure('bad_request', 'YNAB has no plan of that id.', { cause });
    if (situation !== 'rate_limited') throw error;
    throw new UpstreamFailure(situation, message, { cause, retryAfterSeconds: AFTER_QUOTA_S });
  }
}
