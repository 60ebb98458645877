import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import type { TargetProblem } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';

/** A vendor's final answer outside 2xx, for connectors that act on its exact content. */
export class VendorRefusal extends DestinationFailure {
  readonly status: number;
  /** The vendor's error word, such as `INVALID_VALUE_FOR_COLUMN`; empty if it has none. */
  readonly word: string;
  /** The vendor's text. It may quote a row: never logged and never shown. */
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

/**
 * What the call reads; null if the vendor has nothing with that id: gone, never shared, or of another kind.
 *
 * @param alsoStatus the status with which the vendor refuses an invalid id, if the call has nothing else to refuse
 */
export async function orMissing<T>(call: () => Promise<T>, alsoStatus?: number): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error;
    if (error.code === 'destination_resource_missing') return null;
    if (error instanceof VendorRefusal && error.status === alsoStatus) return null;
    throw error;
  }
}

export function targetProblem(key: string, message: string): TargetProblem {
  return { part: 'target', name: key, message };
}

/** The first of the ids that is not writable; null if all are. */
export function firstUnknown(
  part: 'places' | 'categories',
  ids: readonly string[],
  known: ReadonlySet<string>,
  message: string,
): TargetProblem | null {
  const name = ids.find((id) => !known.has(id));
  return name === undefined ? null : { part, name, message };
}
