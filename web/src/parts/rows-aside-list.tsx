import type { AccountAside } from '../api/held-rows.ts';
import { dayText } from '../format/moments.ts';
import { REJECTED_ROWS } from '../text/sync-runs.ts';
import { keyed } from './keyed.ts';
import classes from './rows-aside.module.css';

/** As many as the page of a run lists. */
const MOST_LISTED = 100;

/** Which rows could not be read, and why. */
export function RowsAsideList({ rows }: Pick<AccountAside, 'rows'>) {
  return (
    <>
      <ul className={classes.rows}>
        {keyed(rows.slice(0, MOST_LISTED), ({ id, day }) => `${id} ${day}`).map(([key, row]) => (
          <li key={key}>
            {[
              row.day === null ? REJECTED_ROWS.noDay : dayText(row.day),
              REJECTED_ROWS.why({ origin: 'provider', ...row }),
              row.id ?? REJECTED_ROWS.noId,
            ].join(' · ')}
          </li>
        ))}
      </ul>
      {rows.length > MOST_LISTED ? <p>{REJECTED_ROWS.more(rows.length - MOST_LISTED)}</p> : null}
    </>
  );
}
