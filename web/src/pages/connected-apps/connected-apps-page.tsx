import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectedApp } from '#client';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { paged } from '../../api/queries.ts';
import { LinkButton, MoreButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTED_APPS } from '../../text/apps.ts';
import classes from '../developer/developer.module.css';
import { DeveloperPage } from '../developer/developer-page.tsx';
import { Refusal } from '../developer/refusal.tsx';
import { ConnectedAppCard, nameOf } from './connected-app-card.tsx';

const connectedApps = paged(['connected_apps', 'pages', {}], (page, options) =>
  api.connectedApps.list(page, options),
);

export function ConnectedAppsPage() {
  return (
    <DeveloperPage title={CONNECTED_APPS.title}>
      <p className={classes.intro}>{CONNECTED_APPS.intro}</p>
      <AppList />
    </DeveloperPage>
  );
}

function AppList() {
  const queries = useQueryClient();
  const list = useInfiniteQuery(connectedApps);
  const record = useQuery(me);
  const [asked, setAsked] = useState<ConnectedApp | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: ConnectedApp) => api.connectedApps.revoke({ id }),
    onSuccess: () => setAsked(null),
    onSettled: () => queries.invalidateQueries({ queryKey: connectedApps.queryKey }),
  });
  const error = list.error ?? record.error;
  if (list.data === undefined || record.data === undefined) {
    return error === null ? (
      <Card title={CONNECTED_APPS.title}>
        <LoadingRows count={2} />
      </Card>
    ) : (
      <Refusal error={error} again={() => Promise.all([list.refetch(), record.refetch()])} />
    );
  }
  const apps = list.data.pages.flatMap(({ data }) => data);
  const { timezone } = record.data;
  const { disconnecting } = CONNECTED_APPS;
  return (
    <>
      {revoke.isSuccess ? (
        <Notice
          tone="good"
          title={disconnecting.done(nameOf(revoke.variables))}
          text={disconnecting.doneText}
          onClose={revoke.reset}
        />
      ) : null}
      {apps.length === 0 ? (
        <Empty
          title={CONNECTED_APPS.none}
          text={CONNECTED_APPS.noneText}
          action={<LinkButton to={PATHS.agents}>{CONNECTED_APPS.connect}</LinkButton>}
        />
      ) : (
        apps.map((app) => (
          <ConnectedAppCard
            key={app.id}
            app={app}
            zone={timezone}
            onDisconnect={() => {
              revoke.reset();
              setAsked(app);
            }}
          />
        ))
      )}
      <MoreButton list={list} />
      {asked === null ? null : (
        <ConfirmDialog
          title={disconnecting.title(nameOf(asked))}
          action={CONNECTED_APPS.disconnect}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          {revoke.error === null ? null : (
            <Problem error={revoke.error} title={disconnecting.failed(nameOf(asked))} />
          )}
          <p>{disconnecting.text}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
