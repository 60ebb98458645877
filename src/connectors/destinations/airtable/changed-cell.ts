import { DestinationFailure } from '../destination-failure.ts';
import type { ColumnSpec } from './columns.ts';

/** A record was written, and Airtable shows something else in one of its cells than it was sent. */
export class ChangedCell extends DestinationFailure {
  constructor({ header, form }: ColumnSpec) {
    const advice = form === 'decimal' ? 'numbers or of text' : 'text';
    super(
      'run_failed',
      `Airtable shows something else in the column “${header}” than it was sent: make it a column of ${advice}.`,
      { outcome: 'unknown', retryable: false },
    );
  }
}
