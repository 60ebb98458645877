import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SyncRun } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { me } from '../api/me.ts';
import { momentText } from '../format/moments.ts';
import { numberText } from '../format/numbers.ts';
import { placeOn, scaleOf } from '../parts/chart-scale.ts';
import { ChartTables } from '../parts/chart-table.tsx';
import { RUN_CHART } from '../text/syncs.ts';
import classes from './run-chart.module.css';
import { durationText, runStatusText } from './run-status.tsx';

interface RunChartProps {
  /** Newest first. */
  readonly runs: readonly SyncRun[];
}

/** As many columns as can be pointed at on a phone. */
const MOST = 25;

/** The latest runs side by side, the newest at the right: rows delivered above, how long it took below. */
export function RunChart({ runs }: RunChartProps) {
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const shown = runs.slice(0, MOST).toReversed();
  const ended = shown.filter(({ started_at: at }) => at !== null);
  const rowsOf = ({ counts }: SyncRun) => counts.added + counts.updated;
  const rowScale = scaleOf([0n, ...shown.map((run) => BigInt(rowsOf(run)))]);
  const timeScale = scaleOf([0n, ...shown.map((run) => BigInt(Math.round(run.duration_ms)))]);
  const failed = shown.filter(({ status }) => status === 'failed').length;
  const most = Math.max(0, ...shown.map(rowsOf));
  const longest = Math.max(0, ...ended.map(({ duration_ms: ms }) => ms));
  const name = (run: SyncRun) =>
    RUN_CHART.run(
      momentText(run.started_at ?? run.created, zone),
      runStatusText(run),
      rowsOf(run),
      durationText(run.duration_ms),
    );
  return (
    <figure className={classes.figure} aria-label={RUN_CHART.label(shown.length)}>
      <figcaption className={classes.caption}>
        {RUN_CHART.description(shown.length, failed, most, durationText(longest))}
      </figcaption>
      <div className={classes.chart}>
        <p className={classes.axis} aria-hidden="true">
          <span>{RUN_CHART.rows}</span>
          <span>{RUN_CHART.duration}</span>
        </p>
        <ol className={classes.runs}>
          {shown.map((run) => (
            <li key={run.id} className={classes.run} data-status={run.status}>
              <Link
                to={APP_PATHS.syncRun}
                params={{ id: run.id }}
                className={classes.link}
                aria-label={name(run)}
                title={name(run)}
              >
                <span className={classes.room}>
                  <span
                    className={classes.rows}
                    style={{ height: `${placeOn(rowScale, BigInt(rowsOf(run))) * 100}%` }}
                  />
                  {run.status === 'failed' ? <span className={classes.mark}>{RUN_CHART.mark}</span> : null}
                </span>
                <span className={classes.room}>
                  <span
                    className={classes.duration}
                    style={{ height: `${placeOn(timeScale, BigInt(Math.round(run.duration_ms))) * 100}%` }}
                  />
                </span>
              </Link>
            </li>
          ))}
        </ol>
      </div>
      <ChartTables
        tables={[
          {
            caption: RUN_CHART.label(shown.length),
            heads: [RUN_CHART.started, RUN_CHART.status, RUN_CHART.rows, RUN_CHART.duration],
            rows: shown.toReversed().map((run) => ({
              key: run.id,
              name: (
                <Link to={APP_PATHS.syncRun} params={{ id: run.id }}>
                  {momentText(run.started_at ?? run.created, zone)}
                </Link>
              ),
              values: [
                runStatusText(run),
                numberText(rowsOf(run)),
                run.started_at === null ? '' : durationText(run.duration_ms),
              ],
            })),
          },
        ]}
      />
    </figure>
  );
}
