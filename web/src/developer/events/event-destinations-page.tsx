import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventDestination } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { eventDestinations } from '../../api/events.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Empty, LoadingRows } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { EVENT_DESTINATIONS } from '../../text/events.ts';
import classes from '../developer.module.css';
import { DeveloperPage, Refusal } from '../developer-page.tsx';
import { EventDestinationStatus } from './event-destination-actions.tsx';

const EXPECTED = 2;

export function EventDestinationsPage() {
  const { data, error, refetch } = useQuery(eventDestinations);
  return (
    <DeveloperPage
      title={EVENT_DESTINATIONS.title}
      actions={
        <OwnerOnly scope="events:write" otherwise="sentence">
          <CreateButton />
        </OwnerOnly>
      }
    >
      <p className={classes.intro}>{EVENT_DESTINATIONS.intro}</p>
      {data === undefined ? (
        error === null ? (
          <Card title={EVENT_DESTINATIONS.all}>
            <LoadingRows count={EXPECTED} />
          </Card>
        ) : (
          <Refusal error={error} again={refetch} />
        )
      ) : data.length === 0 ? (
        <Empty
          title={EVENT_DESTINATIONS.none}
          text={EVENT_DESTINATIONS.noneText}
          action={
            <OwnerOnly scope="events:write">
              <CreateButton />
            </OwnerOnly>
          }
        />
      ) : (
        <Card title={EVENT_DESTINATIONS.all}>
          <ul className={rows.rows}>
            {data.map((destination) => (
              <DestinationRow key={destination.id} destination={destination} />
            ))}
          </ul>
        </Card>
      )}
    </DeveloperPage>
  );
}

function DestinationRow({ destination }: { readonly destination: EventDestination }) {
  const { id, name, webhook_endpoint: endpoint, enabled_events: selected } = destination;
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <p className={rows.name}>
          <Link to={APP_PATHS.eventDestination} params={{ id }} className={rows.link}>
            {name}
          </Link>
          <EventDestinationStatus destination={destination} />
        </p>
        <p className={rows.detail}>
          <span className={classes.code}>{endpoint.url}</span>
          {` · ${selected.includes('*') ? EVENT_DESTINATIONS.everything : EVENT_DESTINATIONS.kinds(selected.length)}`}
        </p>
      </div>
    </li>
  );
}

function CreateButton() {
  return (
    <LinkButton to={APP_PATHS.newEventDestination} leftSection={<Icon name="plus" />}>
      {EVENT_DESTINATIONS.create}
    </LinkButton>
  );
}
