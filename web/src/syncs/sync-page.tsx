import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Sync } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { useAccountNames } from '../api/accounts.ts';
import { me } from '../api/me.ts';
import { sync as syncQuery, syncRuns } from '../api/syncs.ts';
import { useLiveReads } from '../api/use-events.ts';
import { dayText, momentText } from '../format/moments.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { SYNC, SYNC_WARNINGS, SYNCS } from '../text/syncs.ts';
import { placeText } from './fields/mapping-modes.ts';
import { scheduleWords } from './fields/schedule-words.ts';
import { RunHistory } from './run-history.tsx';
import { runStatusText } from './run-status.tsx';
import { type Setting, SettingDialog } from './setting-dialog.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useSyncActions } from './sync-actions.tsx';
import { SyncAttention, SyncMenu, SyncStatus } from './sync-status.tsx';
import classes from './syncs.module.css';
import { ToolsCard } from './tools-card.tsx';

const route = getRouteApi(APP_PATHS.sync);

/** One sync: how it goes, its runs, its settings, and ways to check and repair it. */
export function SyncPage() {
  useLiveReads();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(syncQuery(id));
  // How long the history will be is not known before it comes, and the settings are below it.
  const { isPending, errorUpdateCount } = useInfiniteQuery(syncRuns(id, null));
  // The history reads a list again that could not be read, while the page stays.
  const awaited = isPending && errorUpdateCount === 0;
  return (
    <>
      <Back to={APP_PATHS.syncs}>{SYNCS.title}</Back>
      {data !== undefined && !awaited ? (
        <Details sync={data} />
      ) : (
        <Page title={SYNCS.title} actionsToCome={error === null}>
          {error === null ? <LoadingRows count={5} /> : <Problem error={error} again={refetch} />}
        </Page>
      )}
    </>
  );
}

function Details({ sync }: { readonly sync: Sync }) {
  const navigate = useNavigate();
  const [setting, setSetting] = useState<Setting | null>(null);
  const actions = useSyncActions(sync, {
    onStarted: ({ id }) => navigate({ to: APP_PATHS.syncRun, params: { id } }),
    onDeleted: () => navigate({ to: APP_PATHS.syncs }),
  });
  const { latest_run: run, enabled, status } = sync;
  return (
    <Page
      title={sync.name}
      actions={
        <>
          <SyncStatus sync={sync} />
          {status === 'running' && run !== null ? (
            <LinkButton to={APP_PATHS.syncRun} params={{ id: run.id }}>
              {SYNCS.follow}
            </LinkButton>
          ) : enabled ? (
            <OwnerOnly scope="syncs:write">
              <Button loading={actions.busy} onClick={actions.run}>
                {SYNCS.run}
              </Button>
            </OwnerOnly>
          ) : (
            <OwnerOnly scope="syncs:write">
              <Button loading={actions.busy} onClick={actions.toggle}>
                {SYNCS.resume}
              </Button>
            </OwnerOnly>
          )}
          <OwnerOnly scope="syncs:write" otherwise="sentence">
            <SyncMenu sync={sync} actions={actions} />
          </OwnerOnly>
        </>
      }
    >
      {actions.outcome}
      <div className={classes.pageAttention}>
        <SyncAttention
          sync={sync}
          busy={actions.busy}
          onRun={actions.run}
          onAccounts={() => setSetting('accounts')}
        />
      </div>
      <div className={classes.pageAttention}>
        <SyncWarnings sync={sync} onAccounts={() => setSetting('accounts')} />
      </div>
      <Overview sync={sync} />
      <RunHistory sync={sync.id} />
      <SettingsCard sync={sync} onChange={setSetting} />
      <ToolsCard sync={sync} />
      {setting === null ? null : (
        <SettingDialog sync={sync} setting={setting} onClose={() => setSetting(null)} />
      )}
      {actions.dialog}
    </Page>
  );
}

function Overview({ sync }: { readonly sync: Sync }) {
  const zone = useQuery(me).data?.timezone ?? 'UTC';
  const {
    type,
    accounts,
    destination,
    options,
    latest_run: run,
    next_run_at: next,
    enabled,
    schedule,
  } = sync;
  return (
    <Card title={SYNC.overview} aside={SYNCS.copies(SYNCS.type[type], accounts.length, destination.name)}>
      <Facts
        facts={[
          [SYNC.to, placeText(destination)],
          [SYNC.since, type === 'holdings' ? null : dayText(options.data_from)],
          [SYNC.schedule, enabled ? scheduleWords(schedule) : SYNC.paused],
          [
            SYNC.last,
            run === null
              ? SYNCS.never
              : `${momentText(run.completed_at ?? run.created, zone)} · ${runStatusText(run)}`,
          ],
          [SYNC.next, next === null ? SYNC.anyTime : momentText(next, zone)],
        ]}
      />
    </Card>
  );
}

interface SyncWarningsProps {
  readonly sync: Sync;
  /** Opens the choice of accounts. */
  readonly onAccounts: () => void;
}

/** Possibly unwanted consequences of a sync's settings. Renders nothing if there are none. */
function SyncWarnings({ sync: { warnings }, onAccounts }: SyncWarningsProps) {
  const nameOf = useAccountNames();
  return warnings.map(({ code, accounts }) => {
    const { title, text, action } = SYNC_WARNINGS[code];
    return (
      <div key={`${code} ${accounts.join()}`} className={classes.attention}>
        <div className={classes.attentionWords}>
          <p className={classes.attentionTitle}>{title}</p>
          <p>{text(accounts.map(nameOf))}</p>
        </div>
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <Button size="xs" onClick={onAccounts}>
            {action}
          </Button>
        </OwnerOnly>
      </div>
    );
  });
}
