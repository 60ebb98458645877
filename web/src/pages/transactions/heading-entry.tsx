import { dayHeading } from '../../format/moments.ts';
import { TRANSACTIONS } from '../../text/transactions.ts';
import type { Entry } from './entries.ts';
import classes from './transactions.module.css';

/** The day that the rows below it are of, or that they are pending. */
export function HeadingEntry({ entry }: { readonly entry: Exclude<Entry, { readonly kind: 'row' }> }) {
  if (entry.kind === 'pending') {
    return (
      <h2 className={classes.heading}>
        {TRANSACTIONS.pending}
        <span className={classes.aside}>{TRANSACTIONS.pendingAside}</span>
      </h2>
    );
  }
  return (
    <h2 className={classes.heading}>{entry.day === null ? TRANSACTIONS.noDate : dayHeading(entry.day)}</h2>
  );
}
