import { DestinationFailure } from '../destination-failure.ts';

/** A file that is no budget of Actual, is damaged, or is of a version whose tables are others. */
export function unreadable(because: string, cause?: unknown): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    `The budget cannot be read, because ${because}: open it once in a current version of Actual.`,
    { outcome: 'refused', retryable: false, cause },
  );
}

/** A file that is larger than the limit, or a budget that grows beyond it with its messages. */
export function tooLarge(): DestinationFailure {
  const message = 'The budget is larger than is accepted: raise LIMIT_BUDGET_FILE_BYTES.';
  return new DestinationFailure('run_failed', message, { outcome: 'refused', retryable: false });
}

const SQLITE_FULL = 13;

/** Works with a budget in memory. Raises DestinationFailure alone: what SQLite raises may repeat what it read. */
export function asUnusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DestinationFailure) throw error;
    const isFull = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL;
    throw isFull ? tooLarge() : unreadable('its file is damaged');
  }
}
