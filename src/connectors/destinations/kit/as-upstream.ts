import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from './vendor-refusal.ts';

const SITUATIONS: Readonly<Record<RunFailureCode, UpstreamSituation>> = {
  destination_auth_failed: 'grant_rejected',
  destination_resource_missing: 'bad_request',
  rate_limited: 'rate_limited',
  timeout: 'deadline',
  superseded: 'other',
  run_failed: 'other',
};

/** A call while linking or listing, where failures are UpstreamFailures. Rejects with `signal.reason` once aborted. */
export async function asUpstream<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DestinationFailure)) throw error;
    throw new UpstreamFailure(situationOf(error), error.message, { cause: error });
  }
}

function situationOf(failure: DestinationFailure): UpstreamSituation {
  const { cause, code, retryable } = failure;
  if (cause instanceof UpstreamFailure) return cause.situation;
  if (code !== 'run_failed') return SITUATIONS[code];
  if (retryable) return 'server_error';
  return failure instanceof VendorRefusal && failure.status === 400 ? 'bad_request' : 'other';
}
