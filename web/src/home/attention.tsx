import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Account, Balance, Connection, Destination, Sync } from '#client';
import { KNOWN_BALANCE_SIGNS, type KnownBalanceSign } from '../../../src/vocabulary/balance-signs.ts';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { appUrl } from '../api/app-url.ts';
import type { AttentionItem } from '../api/attention.ts';
import { api } from '../api/client.ts';
import { createDestinationLink } from '../api/destinations.ts';
import { useConnectionActions } from '../banks/connection-actions.tsx';
import { moneyText } from '../format/money.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { useStillHere } from '../parts/still-here.ts';
import { useSyncActions } from '../syncs/sync-actions.tsx';
import { CONNECTIONS } from '../text/connections.ts';
import { HOME } from '../text/home.ts';
import classes from './home.module.css';

/** As many as can be taken in at a glance. */
const SHOWN = 5;

interface AttentionProps {
  readonly items: readonly AttentionItem[];
  /** By account; undefined until they have been read. */
  readonly balances: ReadonlyMap<string, Balance> | undefined;
}

/** What needs the person, each with the one thing to do about it. There is at least one. */
export function Attention({ items, balances }: AttentionProps) {
  const [all, setAll] = useState(false);
  return (
    <Card title={HOME.attention} aside={HOME.attentionCount(items.length)}>
      <ul className={rows.rows}>
        {items.slice(0, all ? items.length : SHOWN).map((item) => (
          <Item key={item.id} item={item} balances={balances} />
        ))}
      </ul>
      {items.length <= SHOWN ? null : (
        <div className={rows.more}>
          <Button size="xs" variant="default" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? HOME.showFewer : HOME.showAll(items.length)}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Item({ item, balances }: Omit<AttentionProps, 'items'> & { readonly item: AttentionItem }) {
  const { id, name } = item;
  switch (item.kind) {
    case 'consent_ended':
      return (
        <Reauthorize
          name={name}
          reason={HOME.connection[item.connection.status === 'expired' ? 'expired' : 'invalidated']}
          connection={item.connection}
        />
      );
    case 'consent_ending':
      return (
        <Reauthorize name={name} reason={HOME.connection.expiring(item.days)} connection={item.connection} />
      );
    case 'destination':
      return <OfDestination name={name} destination={item.destination} />;
    case 'event_destination':
      return (
        <Enable
          name={name}
          reason={HOME.events[item.destination.disabled_reason === 'gone' ? 'gone' : 'failing']}
          scope="events:write"
          enable={() => api.eventDestinations.enable({ id })}
        />
      );
    case 'sync':
      return NEEDS_CHANGE.has(item.code) ? (
        <Line
          name={name}
          reason={HOME.sync[item.code]}
          action={
            <LinkButton size="xs" variant="default" to={APP_PATHS.sync} params={{ id }}>
              {HOME.open}
            </LinkButton>
          }
        />
      ) : (
        <Run name={name} reason={HOME.sync[item.code]} sync={item.sync} />
      );
    case 'rows_rejected':
      return (
        <Line
          name={name}
          reason={HOME.rejected(item.run.counts.rejected)}
          action={
            <LinkButton size="xs" variant="default" to={APP_PATHS.syncRun} params={{ id: item.run.id }}>
              {HOME.seeRows}
            </LinkButton>
          }
        />
      );
    case 'rows_unread':
      return (
        <Line
          name={name}
          reason={HOME.unread(item.count)}
          action={
            <LinkButton size="xs" variant="default" to={APP_PATHS.account} params={{ id: item.account.id }}>
              {HOME.seeRows}
            </LinkButton>
          }
        />
      );
    case 'balance_sign':
      return <SignQuestion account={item.account} balances={balances} />;
    case 'linked_twice':
      return (
        <Line
          name={HOME.linkedTwice(name, item.more)}
          reason={HOME.linkedTwiceText}
          action={
            <LinkButton
              size="xs"
              variant="default"
              to={APP_PATHS.connection}
              params={{ id: item.connection.id }}
            >
              {HOME.open}
            </LinkButton>
          }
        />
      );
  }
}

/** Another run would end the same way, until other accounts or another place are chosen. */
const NEEDS_CHANGE: ReadonlySet<keyof typeof HOME.sync> = new Set([
  'destination_resource_missing',
  'connection_lost',
  'account_unavailable',
]);

interface OfItem {
  readonly name: string;
  readonly reason: string;
}

function Reauthorize({ connection, ...item }: OfItem & { readonly connection: Connection }) {
  const { busy, reauthorize, outcome } = useConnectionActions(connection);
  return (
    <Line
      {...item}
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

function OfDestination({ name, destination }: { readonly name: string; readonly destination: Destination }) {
  const { id, type, status } = destination;
  if (status === 'disabled') {
    return (
      <Enable
        name={name}
        reason={HOME.destination.disabled}
        scope="destinations:write"
        enable={() => api.destinations.enable({ id })}
      />
    );
  }
  // Where a secret connects it, a new one is entered on its page.
  if (status === 'reauth_required' && DESTINATION_KINDS[type].connects === 'link') {
    return <Connect name={name} reason={HOME.destination.reauth_required} destination={destination} />;
  }
  const unfinished = status === 'incomplete';
  return (
    <Line
      name={name}
      reason={HOME.destination[unfinished ? 'incomplete' : 'reauth_required']}
      action={
        <LinkButton size="xs" variant="default" to={APP_PATHS.destination} params={{ id }}>
          {unfinished ? HOME.finish : HOME.open}
        </LinkButton>
      }
    />
  );
}

function Connect({ destination, ...item }: OfItem & { readonly destination: Destination }) {
  const stillHere = useStillHere();
  const connect = useMutation({
    mutationFn: () =>
      createDestinationLink({
        type: destination.type,
        destination: destination.id,
        return_url: appUrl('destinations').href,
      }),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  return (
    <Line
      {...item}
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

function Enable({ scope, enable, ...item }: EnableProps) {
  const queries = useQueryClient();
  const enabling = useMutation({ mutationFn: enable, onSettled: () => queries.invalidateQueries() });
  return (
    <Line
      {...item}
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

function Run({ sync, ...item }: OfItem & { readonly sync: Sync }) {
  const { busy, run, outcome } = useSyncActions(sync);
  return (
    <Line
      {...item}
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

interface SignQuestionProps extends Omit<AttentionProps, 'items'> {
  readonly account: Account;
}

/** Asks what a positive balance of a loan or a card means, if only a person can say. */
function SignQuestion({ account: { id, name, institution }, balances }: SignQuestionProps) {
  const queries = useQueryClient();
  const current = balances?.get(id)?.current;
  const answering = useMutation({
    mutationFn: (sign: KnownBalanceSign) => api.accounts.update({ id, balance_sign: sign }),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Line
      name={`${name} · ${institution.name}`}
      aside={
        balances === undefined ? (
          <Skeleton height={16} width={96} />
        ) : current == null ? null : (
          <span className={classes.amount}>{moneyText(BigInt(current.amount), current.currency)}</span>
        )
      }
      reason={HOME.sign.question}
      wide
      outcome={answering.error === null ? null : <Problem error={answering.error} title={HOME.sign.failed} />}
      action={
        <OwnerOnly scope="connections:write" otherwise="sentence">
          <div className={classes.answers}>
            {KNOWN_BALANCE_SIGNS.map((sign) => (
              <Button
                key={sign}
                size="xs"
                variant="default"
                aria-label={HOME.sign.of(HOME.sign[sign], name)}
                loading={answering.isPending && answering.variables === sign}
                disabled={answering.isPending}
                onClick={() => answering.mutate(sign)}
              >
                {HOME.sign[sign]}
              </Button>
            ))}
          </div>
        </OwnerOnly>
      }
    />
  );
}

interface LineProps extends OfItem {
  /** What belongs to the name. */
  readonly aside?: ReactNode;
  readonly outcome?: ReactNode;
  readonly action: ReactNode;
  /** Whether the action needs a line of its own on a phone. */
  readonly wide?: boolean;
}

function Line({ name, aside, reason, outcome = null, action, wide = false }: LineProps) {
  return (
    <li>
      <div className={wide ? `${rows.row} ${classes.wide}` : rows.row}>
        <span className={classes.warning}>
          <Icon name="warning" />
        </span>
        <div className={rows.words}>
          <div className={rows.name}>
            {name}
            {aside}
          </div>
          <p className={rows.detail}>{reason}</p>
        </div>
        {action}
      </div>
      {outcome === null ? null : <div className={classes.outcome}>{outcome}</div>}
    </li>
  );
}
