import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectedApp } from '#client';
import { OAUTH_SCOPES } from '../../../../src/vocabulary/oauth-scopes.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { paged } from '../../api/queries.ts';
import { agoText, dateText } from '../../format/moments.ts';
import { LinkButton, MoreButton } from '../../parts/buttons.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { CONNECTED_APPS } from '../../text/apps.ts';
import { DEVELOPER } from '../../text/developer.ts';
import classes from '../developer.module.css';
import { DeveloperPage, Refusal } from '../developer-page.tsx';

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
          action={<LinkButton to={APP_PATHS.agents}>{CONNECTED_APPS.connect}</LinkButton>}
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

interface ConnectedAppCardProps {
  readonly app: ConnectedApp;
  readonly zone: string;
  readonly onDisconnect: () => void;
}

const TONES: Readonly<Record<ConnectedApp['status'], Tone>> = {
  active: 'good',
  revoked: 'idle',
  expired: 'idle',
};

/** Anyone can register an app under any name, so its return address is shown beside it. */
function ConnectedAppCard({ app, zone, onDisconnect }: ConnectedAppCardProps) {
  const { facts } = CONNECTED_APPS;
  const active = app.status === 'active';
  return (
    <Card
      title={nameOf(app)}
      aside={<StatusBadge tone={TONES[app.status]}>{CONNECTED_APPS.status[app.status]}</StatusBadge>}
    >
      <Facts
        facts={[
          [facts.returns, app.redirects_to],
          [
            facts.uses,
            app.resource.endsWith('/mcp') ? CONNECTED_APPS.resources.mcp : CONNECTED_APPS.resources.v2,
          ],
          [DEVELOPER.created, dateText(app.created, zone)],
          [DEVELOPER.lastUsed, app.last_used_at === null ? DEVELOPER.neverUsed : agoText(app.last_used_at)],
          [facts.ends, active ? dateText(app.expires_at, zone) : null],
        ]}
      />
      <div className={classes.access}>
        <p className={classes.may}>{CONNECTED_APPS.may}</p>
        <ul className={classes.consequences}>
          {app.scopes.map((scope) => (
            <li key={scope}>{OAUTH_SCOPES[scope].allows}</li>
          ))}
        </ul>
        {active ? (
          <Button
            className={classes.disconnect ?? ''}
            variant="default"
            aria-label={CONNECTED_APPS.disconnectOf(nameOf(app))}
            onClick={onDisconnect}
          >
            {CONNECTED_APPS.disconnect}
          </Button>
        ) : null}
      </div>
    </Card>
  );
}

function nameOf({ name }: ConnectedApp): string {
  return name ?? CONNECTED_APPS.unnamed;
}
