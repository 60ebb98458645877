import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SyncRun } from '#client';
import { syncs, useLiveSyncs } from '../../api/syncs.ts';
import { agoText } from '../../format/moments.ts';
import { Card } from '../../parts/card.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { PATHS } from '../../routing/paths.ts';
import { HOME } from '../../text/home.ts';
import classes from './home.module.css';

const TONES: Readonly<Record<SyncRun['status'], Tone>> = {
  queued: 'idle',
  running: 'idle',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
};

const SHOWN = 8;

/** The latest run of each sync, the newest first. */
export function RecentRuns() {
  useLiveSyncs();
  const { data, error, refetch } = useQuery(syncs);
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  const runs = (data ?? [])
    .flatMap(({ name, latest_run: run }) => (run === null ? [] : [{ name, run }]))
    .toSorted((a, b) => b.run.created.localeCompare(a.run.created))
    .slice(0, SHOWN);
  return (
    <Card title={HOME.runs}>
      {data === undefined ? (
        <LoadingRows count={2} />
      ) : runs.length === 0 ? (
        <p className={classes.none}>
          {HOME.noRuns} <Link to={PATHS.newSync}>{HOME.createSync}</Link>
        </p>
      ) : (
        <ul className={rows.rows}>
          {runs.map(({ name, run }) => (
            <li key={run.id} className={rows.row}>
              <div className={rows.words}>
                <p className={rows.name}>
                  <Link to={PATHS.syncRun} params={{ id: run.id }} className={rows.link}>
                    {name}
                  </Link>
                </p>
                <p className={rows.detail}>
                  {`${agoText(run.completed_at ?? run.created)} · ${HOME.delivered(run.counts.added, run.counts.updated)}`}
                </p>
              </div>
              <StatusBadge tone={TONES[run.status]}>{HOME.run[run.status]}</StatusBadge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
