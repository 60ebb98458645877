import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination, Sync } from '#client';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { api } from '../api/client.ts';
import { destinations } from '../api/destinations.ts';
import { syncs } from '../api/syncs.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Icon, Monogram } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { DESTINATIONS, RETURNED } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';
import { DestinationStatus, useReconnect } from './destination-actions.tsx';
import classes from './destinations.module.css';
import { ReturnedNotice } from './returned-notice.tsx';
import { targetText } from './targets.ts';

const EXPECTED = 3;
const route = getRouteApi(APP_PATHS.destinations);

export function DestinationsPage() {
  const outcome = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={DESTINATIONS.title}
      actions={
        <OwnerOnly scope="destinations:write" otherwise="sentence">
          <AddButton />
        </OwnerOnly>
      }
    >
      <ReturnedNotice
        outcome={outcome}
        next={RETURNED.unknownLink}
        onClose={() => navigate({ search: {}, replace: true })}
      />
      <DestinationList />
    </Page>
  );
}

function DestinationList() {
  const { data, error, refetch } = useQuery(destinations);
  const { data: known } = useQuery(syncs);
  if (data === undefined) {
    return error === null ? (
      <div className={classes.card}>
        <LoadingRows count={EXPECTED} />
      </div>
    ) : (
      <Problem error={error} again={refetch} />
    );
  }
  if (data.length === 0) {
    return (
      <Empty
        title={DESTINATIONS.none}
        text={DESTINATIONS.noneText}
        action={
          <OwnerOnly scope="destinations:write">
            <AddButton />
          </OwnerOnly>
        }
      />
    );
  }
  return (
    <div className={classes.card}>
      <ul className={rows.rows}>
        {data.map((destination) => (
          <DestinationRow key={destination.id} destination={destination} syncs={known} />
        ))}
      </ul>
    </div>
  );
}

function AddButton() {
  return (
    <LinkButton to={APP_PATHS.newDestination} leftSection={<Icon name="plus" />}>
      {DESTINATIONS.add}
    </LinkButton>
  );
}

interface DestinationRowProps {
  readonly destination: Destination;
  /** Every sync there is; undefined while they are not known. */
  readonly syncs: readonly Sync[] | undefined;
}

/** A destination: what it is, where rows go, which syncs write there, and what it needs. */
function DestinationRow({ destination, syncs }: DestinationRowProps) {
  const { id, type, name, status, sync_count: count } = destination;
  const { action, failure } = useRepair(destination);
  const names = syncs?.filter((sync) => sync.destination.id === id).map((sync) => sync.name);
  return (
    <li>
      <div className={`${rows.row} ${classes.row}`}>
        <Monogram name={destinationTexts(type).name} />
        <div className={rows.words}>
          <h2 className={`${rows.name} ${classes.name}`}>
            <Link to={APP_PATHS.destination} params={{ id }} className={rows.link}>
              {name}
            </Link>
            <DestinationStatus status={status} />
          </h2>
          <p className={rows.detail}>
            {[destinationTexts(type).name, targetText(destination)].filter((one) => one !== name).join(' · ')}
          </p>
          <p className={rows.detail}>
            {names !== undefined && names.length > 0
              ? DESTINATIONS.writtenBy(names)
              : count === 0
                ? DESTINATIONS.noSync
                : DESTINATIONS.syncs(count)}
          </p>
        </div>
        {action === null ? null : (
          <OwnerOnly scope="destinations:write">
            <div className={classes.repair}>{action}</div>
          </OwnerOnly>
        )}
      </div>
      {failure === null ? null : <div className={classes.outcome}>{failure}</div>}
    </li>
  );
}

interface Repair {
  /** The action that makes the destination work again; null if it works. */
  readonly action: ReactNode;
  readonly failure: ReactNode;
}

/** What a destination that cannot be written to needs, shown beside its name in a list. */
function useRepair(destination: Destination): Repair {
  const { id, type, name, status } = destination;
  const queries = useQueryClient();
  const reconnect = useReconnect(destination);
  const enable = useMutation({
    mutationFn: () => api.destinations.enable({ id }),
    onSettled: () =>
      Promise.all([destinations, syncs].map(({ queryKey }) => queries.invalidateQueries({ queryKey }))),
  });
  const opens = (words: string) => (
    <LinkButton size="xs" to={APP_PATHS.destination} params={{ id }}>
      {words}
    </LinkButton>
  );
  const actions: Readonly<Record<Destination['status'], () => ReactNode>> = {
    active: () => null,
    incomplete: () => opens(DESTINATIONS.finish),
    reauth_required: () =>
      DESTINATION_KINDS[type].connects === 'link' ? (
        <Button size="xs" loading={reconnect.busy} onClick={() => reconnect.mutate()}>
          {DESTINATIONS.signIn}
        </Button>
      ) : (
        opens(DESTINATIONS.newSecret)
      ),
    disabled: () => (
      <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate()}>
        {DESTINATIONS.enable}
      </Button>
    ),
  };
  const { failed } = DESTINATIONS;
  return {
    action: actions[status](),
    failure:
      reconnect.error !== null ? (
        <Problem error={reconnect.error} title={failed.link(destinationTexts(type).name)} />
      ) : enable.error !== null ? (
        <Problem error={enable.error} title={failed.enable(name)} />
      ) : null,
  };
}
