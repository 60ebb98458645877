import { DestinationFailure } from '../destination-failure.ts';
import { isRowRefusal } from './failures.ts';
import type { GivenRow } from './given-rows.ts';
import type { Session } from './session.ts';

/** More refused rows than these are the table's fault and not theirs. */
const MOST_REFUSED = 50;

type Work = (rows: readonly GivenRow[]) => Promise<void>;

export interface Tolerance {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Source ids of the rows that were refused; added to. */
  readonly rejected: string[];
}

/**
 * Works on rows behind savepoints, and halves what is refused until the rows that are refused for themselves are found.
 * Raises DestinationFailure `run_failed` for a table that refuses too many, and what else `work` raises.
 */
export async function withoutRefused(
  tolerance: Tolerance,
  rows: readonly GivenRow[],
  work: Work,
): Promise<void> {
  const { session, signal, rejected } = tolerance;
  await session.ask('savepoint tributary', [], signal);
  try {
    await work(rows);
    await session.ask('release savepoint tributary', [], signal);
    return;
  } catch (error) {
    if (!isRowRefusal(error)) throw error;
    await session.run(['rollback to savepoint tributary', 'release savepoint tributary'], signal);
  }
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    rejected.push(only.id);
    if (rejected.length <= MOST_REFUSED) return;
    throw new DestinationFailure(
      'run_failed',
      'The table refuses most rows: a column has a type or a constraint that they do not meet. Change it, or connect another table.',
      { outcome: 'refused', retryable: false },
    );
  }
  const half = Math.ceil(rows.length / 2);
  await withoutRefused(tolerance, rows.slice(0, half), work);
  await withoutRefused(tolerance, rows.slice(half), work);
}
