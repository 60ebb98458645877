import { ActionIcon, Menu } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SimplefinApp } from '#client';
import { api } from '../../api/client.ts';
import { agoText } from '../../format/moments.ts';
import { MoreButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { LoadingRows } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { SIMPLEFIN } from '../../text/apps.ts';
import { DEVELOPER } from '../../text/developer.ts';
import classes from '../developer.module.css';
import { Refusal } from '../developer-page.tsx';
import {
  ProgramDialog,
  type ProgramFields,
  RevokeDialog,
  setupTokens,
  simplefinApps,
} from './program-dialogs.tsx';

/** Programs that have claimed a setup token. */
export function AppCard() {
  const list = useInfiniteQuery(simplefinApps);
  const actions = useAppActions();
  const apps = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      {actions.outcome}
      <Card title={SIMPLEFIN.apps}>
        {list.data === undefined ? (
          list.error === null ? (
            <LoadingRows count={1} />
          ) : (
            <div className={classes.inside}>
              <Refusal error={list.error} again={list.refetch} />
            </div>
          )
        ) : apps.length === 0 ? (
          <p className={classes.none}>{SIMPLEFIN.noApps}</p>
        ) : (
          <ul className={rows.rows}>
            {apps.map((app) => (
              <AppRow key={app.id} app={app} onAsk={actions.ask} />
            ))}
          </ul>
        )}
        <MoreButton list={list} />
      </Card>
      {actions.dialog}
    </>
  );
}

interface AppRowProps {
  readonly app: SimplefinApp;
  readonly onAsk: ReturnType<typeof useAppActions>['ask'];
}

function AppRow({ app, onAsk }: AppRowProps) {
  const { name, status, last_used_at: used } = app;
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          {name}
          <StatusBadge tone={status === 'active' ? 'good' : 'idle'}>
            {SIMPLEFIN.appStatus[status]}
          </StatusBadge>
        </p>
        <p className={rows.detail}>
          {used === null ? DEVELOPER.neverUsed : DEVELOPER.usedAgo(agoText(used))}
          {app.two_decimals ? ` · ${SIMPLEFIN.twoDecimals.set}` : null}
          {app.leave_out_extra ? ` · ${SIMPLEFIN.leaveOutExtra.set}` : null}
        </p>
      </div>
      {status === 'active' ? (
        <Menu position="bottom-end" width={160}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={DEVELOPER.actionsOf(name)}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAsk('edit', app)}>{SIMPLEFIN.edit}</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => onAsk('revoke', app)}>
              {SIMPLEFIN.revoke}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </li>
  );
}

type Action = 'edit' | 'revoke';

interface AppActions {
  readonly ask: (action: Action, app: SimplefinApp) => void;
  readonly outcome: ReactNode;
  readonly dialog: ReactNode;
}

/** What can be done with a program, and how it goes. */
function useAppActions(): AppActions {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ readonly action: Action; readonly app: SimplefinApp } | null>(null);
  const onSuccess = () => setAsked(null);
  const onSettled = () =>
    Promise.all([simplefinApps, setupTokens].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));
  const edit = useMutation({
    mutationFn: ({ id, program }: { id: string; program: ProgramFields }) =>
      api.simplefinApps.update({ id, ...program }),
    onSuccess,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: SimplefinApp) => api.simplefinApps.revoke({ id }),
    onSuccess,
    onSettled,
  });
  const onClose = () => setAsked(null);
  return {
    ask: (action, app) => {
      edit.reset();
      revoke.reset();
      setAsked({ action, app });
    },
    outcome: revoke.isSuccess ? (
      <Notice
        tone="good"
        title={SIMPLEFIN.revoked(revoke.variables.name)}
        text={SIMPLEFIN.revokedText}
        onClose={revoke.reset}
      />
    ) : null,
    dialog:
      asked === null ? null : asked.action === 'edit' ? (
        <ProgramDialog
          title={SIMPLEFIN.editTitle(asked.app.name)}
          program={asked.app}
          busy={edit.isPending}
          error={edit.error}
          failed={SIMPLEFIN.failedEdit}
          onSave={(program) => edit.mutate({ id: asked.app.id, program })}
          onClose={onClose}
        />
      ) : (
        <RevokeDialog
          words={SIMPLEFIN.revokingApp}
          name={asked.app.name}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(asked.app)}
          onClose={onClose}
        />
      ),
  };
}
