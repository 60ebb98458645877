import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Connection, Destination, Sync } from '#client';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { appUrl } from '../api/app-url.ts';
import { api } from '../api/client.ts';
import { createDestinationLink } from '../api/destinations.ts';
import { useConnectionActions } from '../banks/connection-actions.tsx';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { useSyncActions } from '../syncs/sync-actions.tsx';
import { CONNECTIONS } from '../text/connections.ts';
import { HOME } from '../text/home.ts';
import type { AttentionItem } from './attention-items.ts';
import classes from './home.module.css';

/** What needs the person's attention, each with the action that helps. Renders nothing if there is none. */
export function Attention({ items }: { readonly items: readonly AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <Card title={HOME.attention} aside={HOME.attentionCount(items.length)}>
      <ul className={rows.rows}>
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
    </Card>
  );
}

function Item({ item }: { readonly item: AttentionItem }) {
  switch (item.action) {
    case 'reauthorize':
      return <Reauthorize item={item} connection={item.connection} />;
    case 'connect':
      return <Connect item={item} destination={item.destination} />;
    case 'enable':
      return (
        <Enable
          item={item}
          scope="destinations:write"
          enable={() => api.destinations.enable({ id: item.destination.id })}
        />
      );
    case 'enable_events':
      return (
        <Enable
          item={item}
          scope="events:write"
          enable={() => api.eventDestinations.enable({ id: item.destination.id })}
        />
      );
    case 'run':
      return <Run item={item} sync={item.sync} />;
    case 'open':
      return (
        <Line
          item={item}
          outcome={null}
          action={
            <LinkButton size="xs" variant="default" to={item.page} params={{ id: item.id }}>
              {HOME.open}
            </LinkButton>
          }
        />
      );
  }
}

interface OfItem {
  readonly item: AttentionItem;
}

function Reauthorize({ item, connection }: OfItem & { readonly connection: Connection }) {
  const { busy, reauthorize, outcome } = useConnectionActions(connection);
  return (
    <Line
      item={item}
      outcome={outcome}
      action={
        <OwnerOnly scope="connections:write" otherwise="sentence">
          <Button size="xs" loading={busy === 'reauthorize'} onClick={reauthorize}>
            {CONNECTIONS.reauthorize}
          </Button>
        </OwnerOnly>
      }
    />
  );
}

function Connect({ item, destination }: OfItem & { readonly destination: Destination }) {
  const connect = useMutation({
    mutationFn: () =>
      createDestinationLink({
        type: destination.type,
        destination: destination.id,
        return_url: appUrl('destinations').href,
      }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <Line
      item={item}
      outcome={
        connect.error === null ? null : <Problem error={connect.error} title={HOME.notConnected(item.name)} />
      }
      action={
        <OwnerOnly scope="destinations:write" otherwise="sentence">
          <Button size="xs" loading={connect.isPending || connect.isSuccess} onClick={() => connect.mutate()}>
            {HOME.connect}
          </Button>
        </OwnerOnly>
      }
    />
  );
}

interface EnableProps extends OfItem {
  readonly scope: Scope;
  readonly enable: () => Promise<unknown>;
}

function Enable({ item, scope, enable }: EnableProps) {
  const queries = useQueryClient();
  const enabling = useMutation({ mutationFn: enable, onSettled: () => queries.invalidateQueries() });
  return (
    <Line
      item={item}
      outcome={
        enabling.error === null ? null : <Problem error={enabling.error} title={HOME.notEnabled(item.name)} />
      }
      action={
        <OwnerOnly scope={scope} otherwise="sentence">
          <Button size="xs" variant="default" loading={enabling.isPending} onClick={() => enabling.mutate()}>
            {HOME.enable}
          </Button>
        </OwnerOnly>
      }
    />
  );
}

function Run({ item, sync }: OfItem & { readonly sync: Sync }) {
  const { busy, run, outcome } = useSyncActions(sync);
  return (
    <Line
      item={item}
      outcome={outcome}
      action={
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <Button size="xs" variant="default" loading={busy} onClick={run}>
            {HOME.runAgain}
          </Button>
        </OwnerOnly>
      }
    />
  );
}

interface LineProps extends OfItem {
  readonly outcome: ReactNode;
  readonly action: ReactNode;
}

function Line({ item: { name, reason }, outcome, action }: LineProps) {
  return (
    <li>
      <div className={rows.row}>
        <span className={classes.warning}>
          <Icon name="warning" />
        </span>
        <div className={rows.words}>
          <p className={rows.name}>{name}</p>
          <p className={rows.detail}>{reason}</p>
        </div>
        {action}
      </div>
      {outcome === null ? null : <div className={classes.outcome}>{outcome}</div>}
    </li>
  );
}
