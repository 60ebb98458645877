import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventDelivery } from '#client';
import { eventDeliveries, eventDestinations } from '../../api/events.ts';
import { agoText } from '../../format/moments.ts';
import { LoadingRows } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { PATHS } from '../../routing/paths.ts';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { Refusal } from '../developer/refusal.tsx';
import { AttemptList } from './attempt-list.tsx';

const TONES: Readonly<Record<EventDelivery['status'], Tone>> = {
  pending: 'warn',
  succeeded: 'good',
  failed: 'bad',
};

/** What was sent of an event, and how it went. */
export function DeliveryList({ event, zone }: { readonly event: string; readonly zone: string }) {
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
                    <Link to={PATHS.eventDestination} params={{ id }} className={rows.link}>
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
