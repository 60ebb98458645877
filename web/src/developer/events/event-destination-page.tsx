import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventDestination } from '#client';
import { isEventKind } from '../../../../src/vocabulary/event-kinds.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { eventDestination, latestEvents } from '../../api/events.ts';
import { me } from '../../api/me.ts';
import { abandonWrites } from '../../api/open-writes.ts';
import { momentText } from '../../format/moments.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { DEVELOPER } from '../../text/developer.ts';
import { EVENT_DESTINATION_FORM, EVENT_DESTINATIONS, EVENTS } from '../../text/events.ts';
import { PROBLEMS } from '../../text/problems.ts';
import developer from '../developer.module.css';
import { Refusal } from '../developer-page.tsx';
import { EventDestinationStatus, useEventDestinationActions } from './event-destination-actions.tsx';
import { draftOf, EVERYTHING } from './event-destination-draft.ts';
import { DestinationForm } from './event-destination-form.tsx';
import { EventRow, nounWords, whenWords } from './event-row.tsx';
import classes from './events.module.css';
import { usePing } from './use-ping.tsx';

const route = getRouteApi(APP_PATHS.eventDestination);

export function EventDestinationPage() {
  const { id } = route.useParams();
  const found = useQuery(eventDestination(id));
  const record = useQuery(me);
  const error = found.error ?? record.error;
  return (
    <>
      <Back to={APP_PATHS.eventDestinations}>{EVENT_DESTINATIONS.title}</Back>
      {found.data !== undefined && record.data !== undefined ? (
        <Details destination={found.data} zone={record.data.timezone} />
      ) : (
        <Page title={EVENT_DESTINATIONS.title} actionsToCome={error === null}>
          {error === null ? (
            <LoadingRows count={3} />
          ) : (
            <Refusal error={error} again={() => Promise.all([found.refetch(), record.refetch()])} />
          )}
        </Page>
      )}
    </>
  );
}

interface DetailsProps {
  readonly destination: EventDestination;
  readonly zone: string;
}

function Details({ destination, zone }: DetailsProps) {
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const actions = useEventDestinationActions(destination, {
    onSaved: () => setEditing(false),
    onDeleted: () => navigate({ to: APP_PATHS.eventDestinations }),
  });
  const ping = usePing(destination);
  const { facts, reasons } = EVENT_DESTINATIONS;
  const { disabled_reason: reason, failing_since: failing } = destination;
  return (
    <Page
      title={destination.name}
      actions={
        <>
          <EventDestinationStatus destination={destination} />
          <OwnerOnly scope="events:write" otherwise="sentence">
            <EventDestinationActions
              destination={destination}
              actions={actions}
              ping={ping}
              onEdit={() => setEditing(true)}
            />
          </OwnerOnly>
        </>
      }
    >
      {actions.outcome}
      {ping.outcome}
      {editing ? (
        <Card
          title={EVENT_DESTINATIONS.edit}
          aside={
            <button
              type="button"
              className={classes.plain}
              onClick={() => {
                abandonWrites();
                setEditing(false);
              }}
            >
              {PROBLEMS.cancel}
            </button>
          }
        >
          <div className={developer.inside}>
            <DestinationForm
              initial={draftOf(destination)}
              action={PROBLEMS.save}
              busy={actions.busy}
              onSubmit={actions.save}
            />
          </div>
        </Card>
      ) : (
        <>
          <Card title={EVENT_DESTINATIONS.details}>
            <Facts
              facts={[
                [
                  facts.url,
                  <span key="url" className={developer.code}>
                    {destination.webhook_endpoint.url}
                  </span>,
                ],
                [facts.created, momentText(destination.created, zone)],
                [facts.failing, failing === null ? null : momentText(failing, zone)],
                [
                  facts.metadata,
                  Object.entries(destination.metadata ?? {})
                    .map(([name, value]) => `${name}=${value}`)
                    .join(', '),
                ],
              ]}
            />
            {reason === null ? null : <p className={classes.reason}>{reasons[reason]}</p>}
          </Card>
          <Card title={EVENT_DESTINATIONS.subscriptions}>
            <SubscriptionList selected={destination.enabled_events} />
          </Card>
        </>
      )}
      <Card title={EVENT_DESTINATIONS.latest} aside={EVENT_DESTINATIONS.latestAside}>
        <RecentDeliveries destination={destination} />
      </Card>
      {actions.dialog}
    </Page>
  );
}

interface EventDestinationActionsProps {
  readonly destination: EventDestination;
  readonly actions: ReturnType<typeof useEventDestinationActions>;
  readonly ping: ReturnType<typeof usePing>;
  readonly onEdit: () => void;
}

/** The actions that the state of the event destination allows: the likeliest as a button, the others in a menu. */
function EventDestinationActions({ destination, actions, ping, onEdit }: EventDestinationActionsProps) {
  const words = EVENT_DESTINATIONS;
  const enabled = destination.status === 'enabled';
  return (
    <>
      {enabled ? (
        <Button variant="default" loading={ping.busy} onClick={ping.send}>
          {words.ping}
        </Button>
      ) : (
        <Button loading={actions.busy} onClick={actions.enable}>
          {words.enable}
        </Button>
      )}
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={DEVELOPER.actionsOf(destination.name)}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{words.edit}</Menu.Item>
          <Menu.Item onClick={() => actions.ask('rotate')}>{words.rotate}</Menu.Item>
          {enabled ? <Menu.Item onClick={() => actions.ask('disable')}>{words.disable}</Menu.Item> : null}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => actions.ask('delete')}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** The latest events of the kinds that an event destination subscribes to. */
function RecentDeliveries({ destination }: { readonly destination: EventDestination }) {
  const { data, error, refetch } = useQuery(latestEvents(destination.enabled_events));
  if (data === undefined) {
    return error === null ? <LoadingRows count={3} /> : <Problem error={error} again={refetch} />;
  }
  if (data.length === 0) return <p className={developer.none}>{EVENTS.unmatched}</p>;
  return (
    <ul className={rows.rows}>
      {data.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}

/** What an event destination receives, in words. */
function SubscriptionList({ selected }: { readonly selected: readonly string[] }) {
  return (
    <ul className={developer.list}>
      {selected.map((selector) => (
        <li key={selector}>
          <span className={developer.code}>{selector}</span>
          <span className={developer.meaning}>{wordsOf(selector)}</span>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(selector: string): string {
  if (selector === EVERYTHING) return EVENT_DESTINATION_FORM.everything;
  return isEventKind(selector) ? whenWords(selector) : EVENT_DESTINATION_FORM.family(nounWords(selector));
}
