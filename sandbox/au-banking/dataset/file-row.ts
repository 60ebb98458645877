import { digest } from '../../shared/random.ts';
import type { Moment } from '../rows/moment.ts';
import type { Row, RowFacts, RowStatus } from '../rows/row.ts';

/** A row of a data file before it has a key. */
export type FileRow = {
  readonly status: RowStatus;
  readonly facts: RowFacts;
  readonly posting: Moment | null;
};

/**
 * Assigns keys to the rows of one account: the file's transaction id, else derived from content; a repeated key gets an
 * ordinal, so the same row twice stays two rows. Rows of a file do not move with the clock.
 */
export function keyRows(rows: readonly FileRow[]): readonly Row[] {
  const seen = new Map<string, number>();
  return rows.map(({ status, facts, posting }) => {
    const base = facts.transactionId ?? `content:${digest(JSON.stringify([status, facts, posting]))}`;
    const ordinal = (seen.get(base) ?? 0) + 1;
    seen.set(base, ordinal);
    const { transactionId, execution, value } = facts;
    return {
      key: ordinal === 1 ? base : `${base}#${ordinal}`,
      facts,
      posting,
      visibleFrom: Number.NEGATIVE_INFINITY,
      pending:
        status === 'PENDING'
          ? {
              from: Number.NEGATIVE_INFINITY,
              until: Number.POSITIVE_INFINITY,
              fate: 'posts',
              shown: { transactionId, execution, value, posting },
              firstAmount: null,
            }
          : null,
    };
  });
}
