import { NativeSelect, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { SyncRun } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { SYNC_RUN_STATUSES } from '../../../src/vocabulary/states.ts';
import { me } from '../api/me.ts';
import { syncRuns } from '../api/syncs.ts';
import { dayText, momentText } from '../format/moments.ts';
import { MoreButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { RUN_FAILURES_TEXT, SYNC_RUN } from '../text/sync-runs.ts';
import { SYNC } from '../text/syncs.ts';
import chart from './run-chart.module.css';
import { RunChart } from './run-chart.tsx';
import { durationText, hasRejected, RunStatus } from './run-status.tsx';
import classes from './syncs.module.css';

const route = getRouteApi(APP_PATHS.sync);

/** The runs of a sync, newest first, page by page; filtered by status if the address says so. */
export function RunHistory({ sync }: { readonly sync: string }) {
  const { status } = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery(syncRuns(sync, status ?? null));
  const runs = list.data?.pages.flatMap(({ data }) => data);
  // Whatever the list is filtered by, the chart compares the latest runs of all kinds.
  const latest = useInfiniteQuery(syncRuns(sync, null)).data?.pages[0]?.data;
  return (
    <Card
      title={SYNC.history}
      aside={
        <NativeSelect
          className={classes.filter ?? ''}
          aria-label={SYNC.filter}
          value={status ?? ''}
          data={[
            { value: '', label: SYNC.allRuns },
            ...SYNC_RUN_STATUSES.map((one) => ({ value: one, label: SYNC_RUN.status[one] })),
          ]}
          onChange={({ currentTarget }) => {
            const chosen = SYNC_RUN_STATUSES.find((one) => one === currentTarget.value);
            navigate({
              to: APP_PATHS.sync,
              params: { id: sync },
              search: chosen === undefined ? {} : { status: chosen },
              replace: true,
              resetScroll: false,
            });
          }}
        />
      }
    >
      {latest === undefined ? (
        list.error === null ? (
          <div className={chart.loading}>
            <Skeleton height="100%" />
          </div>
        ) : null
      ) : latest.length === 0 ? null : (
        <RunChart runs={latest} />
      )}
      {runs === undefined ? (
        list.error === null ? (
          <LoadingRows count={3} />
        ) : (
          <Problem error={list.error} again={list.refetch} />
        )
      ) : runs.length === 0 ? (
        <p className={classes.none}>{status === undefined ? SYNC.noRuns : SYNC.noRunsOf}</p>
      ) : (
        <>
          <ul className={rows.rows}>
            {runs.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </ul>
          <MoreButton list={list} />
        </>
      )}
    </Card>
  );
}

function RunRow({ run }: { readonly run: SyncRun }) {
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const { added, updated, rejected } = run.counts;
  const delivered = SYNC_RUN.line(added, updated);
  const details = [
    // The badge of a run that succeeded says it.
    rejected === 0 || hasRejected(run) ? '' : SYNC_RUN.rejected(rejected),
    SYNC_RUN.trigger[run.trigger],
    run.range === null ? '' : SYNC_RUN.range(dayText(run.range.from), dayText(run.range.to)),
    run.started_at === null ? '' : durationText(run.duration_ms),
    delivered === '' && run.status === 'succeeded' && rejected === 0 ? SYNC_RUN.unchanged : delivered,
    run.failure === null ? '' : RUN_FAILURES_TEXT[run.failure.code].title,
  ];
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.syncRun} params={{ id: run.id }} className={rows.link}>
            {momentText(run.started_at ?? run.created, zone)}
          </Link>
        </p>
        <p className={rows.detail}>{details.filter((part) => part !== '').join(' · ')}</p>
      </div>
      <RunStatus run={run} />
    </li>
  );
}
