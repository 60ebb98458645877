import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Connection } from '#client';
import { PROVIDERS } from '../../../../src/vocabulary/providers.ts';
import { me } from '../../api/me.ts';
import { agoText, dateText } from '../../format/moments.ts';
import { Monogram } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS } from '../../text/connections.ts';
import { AccountRows } from './account-rows.tsx';
import { ConnectionMenu } from './connection-menu.tsx';
import { ConnectionStatus, needsReauthorising } from './connection-status.tsx';
import classes from './connections.module.css';
import { useConnectionActions } from './use-connection-actions.tsx';

/** A bank with its accounts, what state it is in, and what can be done about it. */
export function ConnectionCard({ connection }: { readonly connection: Connection }) {
  const { institution } = connection;
  const actions = useConnectionActions(connection);
  return (
    <article className={classes.card} aria-label={institution.name}>
      {actions.outcome === null ? null : <div className={classes.outcome}>{actions.outcome}</div>}
      <div className={classes.head}>
        <Monogram name={institution.name} />
        <div className={classes.words}>
          <h2 className={classes.name}>
            <Link to={PATHS.connection} params={{ id: connection.id }} className={classes.link}>
              {institution.name}
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
    PROVIDERS[provider].texts.name,
    refreshed === null ? CONNECTIONS.neverRefreshed : CONNECTIONS.refreshed(agoText(refreshed)),
    ...(data === undefined || ends == null ? [] : [CONNECTIONS.until(dateText(ends, data.timezone))]),
  ].join(' · ');
}
