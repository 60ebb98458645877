import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SyncRun } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { useFeedState } from '../api/use-events.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { RUN_FAILURES_TEXT, SYNC_RUN } from '../text/sync-runs.ts';
import { runStatusText } from './run-status.tsx';
import classes from './syncs.module.css';

/** The state of a run, in words, and what to do about it. Changes are announced to screen readers. */
export function RunBanner({ run, children }: { readonly run: SyncRun; readonly children?: ReactNode }) {
  const feed = useFeedState();
  const { status, counts, failure } = run;
  if (status === 'queued' || status === 'running') {
    return (
      <div className={classes.banner} role="status">
        <Loader size="sm" aria-hidden="true" />
        <div className={classes.bannerWords}>
          <p className={classes.bannerTitle}>{SYNC_RUN.status[status]}</p>
          <p>{SYNC_RUN.progress[status]}</p>
        </div>
        <span className={classes.how}>{feed === 'live' ? SYNC_RUN.live : SYNC_RUN.polling}</span>
        {children}
      </div>
    );
  }
  if (status === 'failed') {
    const { title, text } = RUN_FAILURES_TEXT[failure?.code ?? 'run_failed'];
    const atDestination =
      failure?.code === 'destination_auth_failed' || failure?.code === 'destination_resource_missing';
    return (
      <div className={`${classes.banner} ${classes.bad}`} role="alert">
        <div className={classes.bannerWords}>
          <p className={classes.bannerTitle}>{title}</p>
          <p>{text}</p>
        </div>
        {atDestination ? (
          <LinkButton to={APP_PATHS.destination} params={{ id: run.destination }}>
            {SYNC_RUN.destination}
          </LinkButton>
        ) : (
          children
        )}
      </div>
    );
  }
  const { added, updated, rejected } = counts;
  const good = status === 'succeeded' && rejected === 0;
  return (
    <div className={`${classes.banner} ${good ? classes.good : ''}`} role="status">
      <div className={classes.bannerWords}>
        <p className={classes.bannerTitle}>{runStatusText(run)}</p>
        <p>
          {status === 'cancelled'
            ? SYNC_RUN.cancelled
            : !good && added + updated === 0
              ? SYNC_RUN.othersUpToDate
              : SYNC_RUN.succeeded(added, updated)}
        </p>
      </div>
      {children}
    </div>
  );
}
