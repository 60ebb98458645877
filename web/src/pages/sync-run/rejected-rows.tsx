import { useQuery } from '@tanstack/react-query';
import type { SyncRun } from '#client';
import { rejectedRows } from '../../api/syncs.ts';
import { dayText } from '../../format/moments.ts';
import { Card } from '../../parts/card.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { REJECTED_ROWS } from '../../text/rejected-rows.ts';
import { useAccountNames } from '../sync-fields/use-account-names.ts';
import classes from './sync-run.module.css';

/** Which rows a run could not deliver, and why. */
export function RejectedRows({ run }: { readonly run: SyncRun }) {
  const nameOf = useAccountNames();
  const { data, error, refetch } = useQuery(rejectedRows(run));
  if (error !== null) return <Problem error={error} again={refetch} />;
  const listed = data?.data ?? [];
  const more = run.counts.rejected - listed.length;
  return (
    <Card title={REJECTED_ROWS.title}>
      {data === undefined ? <LoadingRows count={1} /> : null}
      <ul className={rows.rows}>
        {listed.map((row) => (
          <li key={row.id} className={rows.row}>
            <div className={rows.words}>
              <p className={rows.name}>{nameOf(row.account)}</p>
              <p className={rows.detail}>{REJECTED_ROWS.why(row)}</p>
              <p className={rows.detail}>
                {[
                  row.day === null ? REJECTED_ROWS.noDay : dayText(row.day),
                  row.row ?? REJECTED_ROWS.noId,
                ].join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {data !== undefined && more > 0 ? <p className={classes.note}>{REJECTED_ROWS.more(more)}</p> : null}
    </Card>
  );
}
