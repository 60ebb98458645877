import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { DestinationFailure } from '../destination-failure.ts';

/** A vendor's final answer outside 2xx, for connectors that act on what exactly it said. */
export class VendorRefusal extends DestinationFailure {
  readonly status: number;
  /** The vendor's own word for it, such as `INVALID_VALUE_FOR_COLUMN`; empty where it has none. */
  readonly word: string;
  /** The vendor's own text. It may quote a row: never logged and never shown. */
  readonly text: string;

  constructor(
    code: RunFailureCode,
    message: string,
    more: {
      readonly status: number;
      readonly word: string;
      readonly text: string;
      readonly outcome: 'refused' | 'unknown';
      readonly retryable: boolean;
    },
  ) {
    super(code, message, more);
    this.name = 'VendorRefusal';
    this.status = more.status;
    this.word = more.word;
    this.text = more.text;
  }
}

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
