import type { SyncRun } from '#client';
import { numberText } from '../../format/numbers.ts';
import { SYNC_RUN } from '../../text/sync-runs.ts';
import classes from './sync-run.module.css';

const COUNTS = ['processed', 'added', 'updated', 'rejected', 'skipped_by_rules'] as const;

/** How many rows there were, and what became of them. */
export function RunCounts({ counts }: Pick<SyncRun, 'counts'>) {
  return (
    <>
      <dl className={classes.counts}>
        {COUNTS.map((name) => (
          <div key={name} className={classes.count}>
            <dt>{SYNC_RUN.count[name]}</dt>
            <dd>{numberText(counts[name])}</dd>
          </div>
        ))}
      </dl>
      {counts.rejected === 0 ? null : <p className={classes.note}>{SYNC_RUN.rejectedText}</p>}
    </>
  );
}
