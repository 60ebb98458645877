import { useQuery } from '@tanstack/react-query';
import type { EventDestination } from '#client';
import { latestEvents } from '../../api/events.ts';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { EventRow } from '../events/event-row.tsx';

/** The latest events of the kinds that an event destination subscribes to. */
export function RecentDeliveries({ destination }: { readonly destination: EventDestination }) {
  const { data, error, refetch } = useQuery(latestEvents(destination.enabled_events));
  if (data === undefined) {
    return error === null ? <LoadingRows count={3} /> : <Problem error={error} again={refetch} />;
  }
  if (data.length === 0) return <p className={classes.none}>{EVENTS.unmatched}</p>;
  return (
    <ul className={rows.rows}>
      {data.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}
