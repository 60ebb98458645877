import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { Destination, SyncRun } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { useAccountNames } from '../api/accounts.ts';
import { api } from '../api/client.ts';
import { destination as destinationQuery, destinationResources } from '../api/destinations.ts';
import { dismissedRows, dismissRows, isDismissed, watchDismissed } from '../api/dismissed-rows.ts';
import { me } from '../api/me.ts';
import { isOpen, rejectedRows, sync as syncQuery, syncRun } from '../api/syncs.ts';
import { useLiveReads } from '../api/use-events.ts';
import { dayText, momentText } from '../format/moments.ts';
import { numberText } from '../format/numbers.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { offerUndo } from '../parts/undo.tsx';
import { ACCOUNT_FAILURES, REJECTED_ROWS, SYNC_RUN } from '../text/sync-runs.ts';
import { SYNCS } from '../text/syncs.ts';
import { RunBanner } from './run-banner.tsx';
import { durationText, hasRejected, RunStatus } from './run-status.tsx';
import classes from './syncs.module.css';

const COUNTS = ['processed', 'added', 'updated', 'rejected', 'skipped_by_rules'] as const;

/** How many rows there were, and what happened to them. */
function RunCounts({ counts }: Pick<SyncRun, 'counts'>) {
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

const route = getRouteApi(APP_PATHS.syncRun);

/** One run, during and after it. */
export function SyncRunPage() {
  useLiveReads();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(syncRun(id));
  return data === undefined ? (
    <>
      <Back to={APP_PATHS.syncs}>{SYNCS.title}</Back>
      <Page title={SYNC_RUN.plainTitle}>
        {error === null ? <LoadingRows count={4} /> : <Problem error={error} again={refetch} />}
      </Page>
    </>
  ) : (
    <Run run={data} />
  );
}

function Run({ run }: { readonly run: SyncRun }) {
  const sync = useQuery(syncQuery(run.sync)).data;
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const moment = (at: string | null) => (at === null ? null : momentText(at, zone));
  return (
    <>
      <Back to={APP_PATHS.sync} params={{ id: run.sync }}>
        {sync?.name ?? SYNC_RUN.sync}
      </Back>
      <Page
        title={sync === undefined ? SYNC_RUN.plainTitle : SYNC_RUN.title(sync.name)}
        actions={<RunStatus run={run} />}
      >
        <Actions run={run} enabled={sync?.enabled === true} />
        <Card title={SYNC_RUN.counts} aside={SYNC_RUN.trigger[run.trigger]}>
          <RunCounts counts={run.counts} />
          <Facts
            facts={[
              [SYNC_RUN.queuedFor, run.started_at === null ? moment(run.created) : null],
              [SYNC_RUN.started, moment(run.started_at)],
              [SYNC_RUN.ended, moment(run.completed_at)],
              [SYNC_RUN.took, run.started_at === null ? null : durationText(run.duration_ms)],
              [
                SYNC_RUN.days,
                run.range === null ? null : SYNC_RUN.range(dayText(run.range.from), dayText(run.range.to)),
              ],
            ]}
          />
        </Card>
        <Card title={SYNC_RUN.accounts}>
          <AccountLines lines={run.account_results ?? []} />
        </Card>
        {run.counts.rejected === 0 || isOpen(run) ? null : (
          <RejectedRows run={run} isLatest={sync?.latest_run?.id === run.id} />
        )}
      </Page>
    </>
  );
}

/** What to do about the run as it is now: cancel it, run again, look at the rows. */
function Actions({ run, enabled }: { readonly run: SyncRun; readonly enabled: boolean }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const cancel = useMutation({
    mutationFn: () => api.syncRuns.cancel({ id: run.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sync-run', run.id] }),
  });
  const stillHere = useStillHere();
  const again = useMutation({
    mutationFn: () => api.syncs.run({ id: run.sync }),
    onMutate: stillHere,
    onSuccess: async ({ id }, _, isHere) => {
      if (isHere()) await navigate({ to: APP_PATHS.syncRun, params: { id } });
    },
  });
  return (
    <>
      {cancel.error === null ? null : <Problem error={cancel.error} title={SYNC_RUN.cancelFailed} />}
      {again.error === null ? null : (
        <Problem error={again.error} title={SYNCS.failed.run(SYNC_RUN.plainTitle)} />
      )}
      <RunBanner run={run}>
        {run.status === 'queued' ? (
          <OwnerOnly scope="syncs:write">
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {SYNC_RUN.cancel}
            </Button>
          </OwnerOnly>
        ) : isOpen(run) || !enabled || run.failure?.code === 'superseded' ? null : run.status ===
          'succeeded' ? null : (
          <OwnerOnly scope="syncs:write">
            <Button loading={again.isPending} onClick={() => again.mutate()}>
              {SYNC_RUN.runAgain}
            </Button>
          </OwnerOnly>
        )}
        <PlaceLink destination={run.destination} />
      </RunBanner>
    </>
  );
}

/** Where the rows are; for a webhook, what was sent to it. */
function PlaceLink({ destination }: { readonly destination: string }) {
  const { data, error } = useQuery(destinationQuery(destination));
  if (data === undefined) return error === null ? <LinkToCome /> : null;
  return DESTINATION_KINDS[data.type].connects === 'url' ? (
    <LinkButton variant="default" to={APP_PATHS.destination} params={{ id: destination }}>
      {SYNC_RUN.deliveries}
    </LinkButton>
  ) : (
    <RowsLink destination={data} />
  );
}

/** Keeps its place, so that nothing moves when it comes. */
function LinkToCome() {
  return <div className={classes.linkToCome} />;
}

function RowsLink({ destination }: { readonly destination: Destination }) {
  const { url, asking } = useRowsUrl(destination);
  if (asking) return <LinkToCome />;
  return url === null ? null : (
    <Button variant="default" component="a" href={url} target="_blank" rel="noreferrer">
      {SYNC_RUN.rows(destination.name)}
    </Button>
  );
}

/** The vendor's address for the contents of a destination; null if there is none, or it is unknown. */
function useRowsUrl({ id, type, status, target }: Destination): {
  readonly url: string | null;
  /** Whether the vendor is still being asked. */
  readonly asking: boolean;
} {
  const shape = DESTINATION_KINDS[type].target.steps;
  const { data, isLoading } = useQuery({
    ...destinationResources(id, { type: shape?.outer.kind ?? 'spreadsheet' }),
    enabled: shape !== null && status === 'active',
  });
  const url = data?.items.find((one) => one.id === target[shape?.outer.key ?? ''])?.url ?? null;
  // The vendor wrote it, so it may be anything.
  return { url: url !== null && /^https?:\/\//.test(url) ? url : null, asking: isLoading };
}

interface RejectedRowsProps {
  readonly run: SyncRun;
  /** Whether it is the run that Home goes by. */
  readonly isLatest: boolean;
}

/** Which rows a run could not deliver, and why. */
function RejectedRows({ run, isLatest }: RejectedRowsProps) {
  const nameOf = useAccountNames();
  const { data, error, refetch } = useQuery(rejectedRows(run));
  const listed = data?.data ?? [];
  const more = run.counts.rejected - listed.length;
  const dismissed = useSyncExternalStore(watchDismissed, dismissedRows);
  const offersDismissal = isLatest && isDismissed(run, dismissed, data?.data) === false;
  const dismiss = () => {
    const before = dismissedRows().get(run.sync) ?? null;
    dismissRows(run.sync, { run: run.id, rows: listed.map(({ id }) => id) });
    offerUndo({
      title: REJECTED_ROWS.dismissed,
      text: REJECTED_ROWS.dismissedText,
      undo: () => dismissRows(run.sync, before),
      failed: REJECTED_ROWS.dismissed,
    });
  };
  if (error !== null) return <Problem error={error} again={refetch} />;
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
      {data !== undefined && offersDismissal ? (
        <div className={rows.more}>
          <Button size="xs" variant="default" onClick={dismiss}>
            {REJECTED_ROWS.dismiss}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

type Line = NonNullable<SyncRun['account_results']>[number];

const TONES: Readonly<Record<Line['status'], Tone>> = {
  waiting: 'idle',
  succeeded: 'good',
  failed: 'bad',
  incomplete: 'warn',
};

/** The result for each account in a run. */
function AccountLines({ lines }: { readonly lines: readonly Line[] }) {
  const nameOf = useAccountNames();
  if (lines.length === 0) return <p className={classes.note}>{SYNC_RUN.noLines}</p>;
  return (
    <ul className={rows.rows}>
      {lines.map((line) => (
        <li key={line.account} className={rows.row}>
          <div className={rows.words}>
            <p className={rows.name}>{nameOf(line.account)}</p>
            <p className={rows.detail}>{deliveredIn(line)}</p>
            {line.failure === null ? null : (
              <p className={`${rows.detail} ${classes.lineBad}`}>
                {ACCOUNT_FAILURES[line.failure.code] ?? SYNC_RUN.unknownFailure(line.failure.code)}
              </p>
            )}
            {line.status === 'incomplete' ? <p className={rows.detail}>{SYNC_RUN.incompleteText}</p> : null}
          </div>
          <StatusBadge tone={hasRejected(line) ? 'warn' : TONES[line.status]}>
            {hasRejected(line) ? SYNC_RUN.rejected(line.counts.rejected) : SYNC_RUN.account[line.status]}
          </StatusBadge>
        </li>
      ))}
    </ul>
  );
}

function deliveredIn({ counts, status }: Line): string {
  const delivered = SYNC_RUN.line(counts.added, counts.updated);
  const nothing = status === 'succeeded' && counts.rejected === 0 ? SYNC_RUN.unchanged : '';
  // The badge of an account that was delivered says it.
  const rejected = counts.rejected === 0 || status === 'succeeded' ? '' : SYNC_RUN.rejected(counts.rejected);
  return [rejected, SYNC_RUN.read(counts.processed), delivered === '' ? nothing : delivered]
    .filter((part) => part !== '')
    .join(' · ');
}
