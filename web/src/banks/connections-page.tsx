import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Connection } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { linksTwice } from '../api/attention.ts';
import { connections } from '../api/connections.ts';
import { me } from '../api/me.ts';
import { bankNames } from '../format/account-names.ts';
import { now } from '../format/clock.ts';
import { agoText, dateText } from '../format/moments.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Icon, Monogram } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { CONNECTIONS, LINKED } from '../text/connections.ts';
import { providerTexts } from '../text/kinds.ts';
import { reasonText } from '../text/problems.ts';
import { AccountRows } from './account-rows.tsx';
import { useConnectionActions } from './connection-actions.tsx';
import { ConnectionMenu, ConnectionStatus, needsReauthorising } from './connection-status.tsx';
import classes from './connections.module.css';
import { OtherBank } from './other-bank.tsx';

const route = getRouteApi(APP_PATHS.connections);

const NEW_MS = 900_000;

/** Whether the connection may be the one that was just linked, which is the newest: the address does not name it. */
function isNew({ created }: Connection): boolean {
  return now() - Date.parse(created) < NEW_MS;
}

/** How linking ended, if the person has just come back from the bank. */
function LinkOutcome() {
  const { link_session: outcome, reason = '', provider } = route.useSearch();
  const navigate = route.useNavigate();
  const [newest] = useQuery(connections).data ?? [];
  const isTwice = newest !== undefined && isNew(newest) && linksTwice(newest);
  if (outcome === undefined) return null;
  const completed = outcome === 'completed';
  if (completed && isTwice) {
    return (
      <Notice
        tone="bad"
        title={LINKED.twice}
        text={LINKED.twiceText}
        onClose={() => navigate({ search: {}, replace: true })}
      />
    );
  }
  const texts = provider === undefined ? null : providerTexts(provider);
  const what = texts?.institution ?? LINKED.bank;
  const reasons = { ...LINKED.reasons, ...texts?.failures };
  return (
    <Notice
      tone={completed ? 'good' : 'bad'}
      title={completed ? LINKED.completed(what) : LINKED.failed(what)}
      text={completed ? LINKED.completedText : reasonText(reasons, reason, LINKED.unknown)}
      onClose={() => navigate({ search: {}, replace: true })}
    />
  );
}

const ROWS = 3;

/** As high as a connection with two accounts. */
function LoadingCards() {
  return (
    <div className={classes.card}>
      <LoadingRows count={ROWS} />
    </div>
  );
}

export function ConnectionsPage() {
  return (
    <Page
      title={CONNECTIONS.title}
      actions={
        <>
          <LinkButton to={APP_PATHS.statementFiles} search={{}} variant="default">
            {providerTexts('statement_files').name}
          </LinkButton>
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkBank />
          </OwnerOnly>
        </>
      }
    >
      <LinkOutcome />
      <ConnectionList />
    </Page>
  );
}

function ConnectionList() {
  const { data, error, refetch } = useQuery(connections);
  if (data === undefined)
    return error === null ? <LoadingCards /> : <Problem error={error} again={refetch} />;
  if (data.length === 0) {
    return (
      <Empty
        title={CONNECTIONS.none}
        text={CONNECTIONS.noneText}
        action={
          <OwnerOnly scope="connections:write">
            <LinkBank />
          </OwnerOnly>
        }
      />
    );
  }
  const names = bankNames(data);
  return data.map((connection) => (
    <ConnectionCard
      key={connection.id}
      connection={connection}
      name={names.get(connection.id) ?? connection.institution.name}
    />
  ));
}

function LinkBank() {
  return (
    <LinkButton to={APP_PATHS.newConnection} leftSection={<Icon name="plus" />}>
      {CONNECTIONS.link}
    </LinkButton>
  );
}

/** A bank with its accounts, its state, and the actions for it. */
function ConnectionCard({ connection, name }: { readonly connection: Connection; readonly name: string }) {
  const { institution } = connection;
  const actions = useConnectionActions(connection);
  return (
    <article className={classes.card} aria-label={name}>
      {actions.outcome === null ? null : <div className={classes.outcome}>{actions.outcome}</div>}
      <div className={classes.head}>
        <Monogram name={institution.name} />
        <div className={classes.words}>
          <h2 className={classes.name}>
            <Link to={APP_PATHS.connection} params={{ id: connection.id }} className={classes.link}>
              {name}
            </Link>
            <ConnectionStatus connection={connection} />
          </h2>
          <p className={classes.detail}>
            <Facts connection={connection} />
          </p>
        </div>
        <OwnerOnly scope="connections:write">
          {needsReauthorising(connection) ? (
            <div className={classes.primary}>
              <Button size="xs" loading={actions.busy === 'reauthorize'} onClick={actions.reauthorize}>
                {CONNECTIONS.reauthorize}
              </Button>
            </div>
          ) : null}
          <ConnectionMenu connection={connection} actions={actions} />
        </OwnerOnly>
      </div>
      <OtherBank connection={connection} inset />
      <AccountRows connection={connection} inset />
      {actions.dialog}
    </article>
  );
}

function Facts({ connection }: { readonly connection: Connection }) {
  const { data } = useQuery(me);
  const { provider, last_refreshed_at: refreshed, consent } = connection;
  const ends = consent?.expires_at;
  return [
    providerTexts(provider).name,
    refreshed === null ? CONNECTIONS.neverRefreshed : CONNECTIONS.refreshed(agoText(refreshed)),
    ...(data === undefined || ends == null ? [] : [CONNECTIONS.until(dateText(ends, data.timezone))]),
  ].join(' · ');
}
