import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { EventDelivery, ServiceEvent } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { api } from '../../api/client.ts';
import { event, eventDeliveries, eventDestinations } from '../../api/events.ts';
import { me } from '../../api/me.ts';
import { agoText, momentText } from '../../format/moments.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer.module.css';
import { Refusal } from '../developer-page.tsx';
import { whenWords } from './event-row.tsx';
import eventsClasses from './events.module.css';

const route = getRouteApi(APP_PATHS.event);

export function EventPage() {
  const { id } = route.useParams();
  const found = useQuery(event(id));
  const record = useQuery(me);
  const error = found.error ?? record.error;
  return (
    <>
      <Back to={APP_PATHS.events}>{EVENTS.title}</Back>
      {found.data !== undefined && record.data !== undefined ? (
        <Details event={found.data} zone={record.data.timezone} />
      ) : (
        <Page title={EVENTS.title} actionsToCome={error === null}>
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

function Details({ event: shown, zone }: { readonly event: ServiceEvent; readonly zone: string }) {
  const queries = useQueryClient();
  const redeliver = useMutation({
    mutationFn: () => api.events.redeliver({ id: shown.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: eventDeliveries(shown.id).queryKey }),
  });
  return (
    <Page
      title={shown.type}
      actions={
        <OwnerOnly scope="events:write" otherwise="sentence">
          <Button variant="default" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
            {EVENTS.redeliver}
          </Button>
        </OwnerOnly>
      }
    >
      {redeliver.error === null ? null : <Problem error={redeliver.error} title={EVENTS.redeliverFailed} />}
      {redeliver.isSuccess ? (
        <Notice
          tone="good"
          title={EVENTS.redelivered}
          text={EVENTS.redeliveredText}
          onClose={redeliver.reset}
        />
      ) : null}
      <Card title={EVENTS.details}>
        <Facts
          facts={[
            [EVENTS.at, momentText(shown.created, zone)],
            [EVENTS.when, whenWords(shown.type)],
            [
              EVENTS.about,
              <span key="about" className={classes.code}>
                {shown.related_object.id}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title={EVENTS.payload} aside={EVENTS.payloadAside}>
        <div className={classes.inside}>
          <CopyText label={EVENTS.payloadText} text={JSON.stringify(shown, null, 2)} />
        </div>
      </Card>
      <Card title={EVENTS.deliveries} aside={EVENTS.deliveriesAside}>
        <DeliveryList event={shown.id} zone={zone} />
      </Card>
    </Page>
  );
}

const TONES: Readonly<Record<EventDelivery['status'], Tone>> = {
  pending: 'warn',
  succeeded: 'good',
  failed: 'bad',
};

/** The deliveries of an event. */
function DeliveryList({ event, zone }: { readonly event: string; readonly zone: string }) {
  const found = useQuery(eventDeliveries(event));
  const { data: destinations = [] } = useQuery(eventDestinations);
  if (found.data === undefined) {
    return found.error === null ? (
      <LoadingRows count={1} />
    ) : (
      <Refusal error={found.error} again={found.refetch} />
    );
  }
  if (found.data.length === 0) return <p className={classes.none}>{EVENTS.noDeliveries}</p>;
  return (
    <ul className={rows.rows}>
      {found.data.map((delivery) => {
        const { event_destination: id, status, attempt_count: attempts, next_attempt: next } = delivery;
        const name = destinations.find((one) => one.id === id)?.name;
        return (
          <li key={id}>
            <div className={rows.row}>
              <div className={rows.words}>
                <p className={rows.name}>
                  {name === undefined ? (
                    EVENTS.deletedDestination
                  ) : (
                    <Link to={APP_PATHS.eventDestination} params={{ id }} className={rows.link}>
                      {name}
                    </Link>
                  )}
                  <StatusBadge tone={TONES[status]}>{EVENTS.status[status]}</StatusBadge>
                </p>
                <p className={rows.detail}>
                  {EVENTS.attempts(attempts)}
                  {next === null ? null : `, ${EVENTS.next(agoText(next))}`}
                </p>
              </div>
            </div>
            <AttemptList attempts={delivery.attempts} zone={zone} />
          </li>
        );
      })}
    </ul>
  );
}

interface AttemptListProps {
  readonly attempts: EventDelivery['attempts'];
  readonly zone: string;
}

/** The latest attempts to deliver an event: when, how long it took, and what the receiver said. */
function AttemptList({ attempts, zone }: AttemptListProps) {
  if (attempts.length === 0) return null;
  return (
    <ol className={eventsClasses.attempts}>
      {attempts.map(({ attempted, duration_ms: ms, status_code: status, failure, answer }) => (
        <li key={attempted}>
          <p className={eventsClasses.attempt}>
            <span>
              {failure !== null ? EVENTS.failures[failure] : status !== null ? EVENTS.answered(status) : null}
            </span>
            <span className={eventsClasses.when}>{EVENTS.attempt(momentText(attempted, zone), ms)}</span>
          </p>
          {answer === null || answer === '' ? null : (
            <>
              <p className={eventsClasses.when}>{EVENTS.answerBegan}</p>
              <pre className={eventsClasses.answer}>{answer}</pre>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
