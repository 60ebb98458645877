import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { DestinationFailure } from '../destination-failure.ts';

/** What is at the path of a file or folder cannot be used: a symbolic link, another kind of file, or not CSV. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

interface Meaning {
  readonly code: RunFailureCode;
  readonly situation: UpstreamSituation;
  readonly message: string;
  readonly retryable: boolean;
}

const ASK = 'Ask the operator of this service.';
const FAILED: Meaning = {
  code: 'run_failed',
  situation: 'server_error',
  message: `The files could not be read or written. ${ASK}`,
  retryable: true,
};
/** Failures of the operating system, by error code. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOSPC: { ...FAILED, message: `The disk is full. ${ASK}` },
  EDQUOT: { ...FAILED, message: `The folder has reached its quota. ${ASK}` },
  EACCES: { ...FAILED, message: `This service may not write to the folder. ${ASK}`, retryable: false },
  EPERM: { ...FAILED, message: `This service may not write to the folder. ${ASK}`, retryable: false },
  EROFS: { ...FAILED, message: `The folder is read-only. ${ASK}`, retryable: false },
};
const WORDS: ReadonlyMap<string, Meaning> = new Map(Object.entries(MEANINGS));

/** The message of an operating system error contains a path, which concerns the operator and not the owner. */
function meaningOf(error: unknown): Meaning {
  if (error instanceof UnusableFile) return { ...FAILED, message: error.message, retryable: false };
  const word = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS.get(word) ?? FAILED;
}

/** The failure of a write. @throws `signal.reason` once aborted, and errors that are not about files */
export function asDestinationFailure(
  error: unknown,
  outcome: 'refused' | 'unknown',
  signal: AbortSignal,
): DestinationFailure {
  signal.throwIfAborted();
  if (error instanceof DestinationFailure) {
    if (error.outcome === outcome || outcome === 'refused') return error;
    const { code, message, retryable } = error;
    return new DestinationFailure(code, message, { outcome, retryable, cause: error });
  }
  const { code, message, retryable } = meaningOf(error);
  return new DestinationFailure(code, message, { outcome, retryable, cause: error });
}

/** The failure of a read. @throws `signal.reason` once aborted */
export function asUpstreamFailure(error: unknown, signal: AbortSignal): UpstreamFailure {
  signal.throwIfAborted();
  if (error instanceof UpstreamFailure) return error;
  const { situation, message } = meaningOf(error);
  return new UpstreamFailure(situation, message, { cause: error });
}

export function missingFolder(): DestinationFailure {
  return new DestinationFailure(
    'destination_resource_missing',
    'The folder does not exist any more, or under another name. Rename it back, or connect another destination.',
    { outcome: 'refused', retryable: false },
  );
}
