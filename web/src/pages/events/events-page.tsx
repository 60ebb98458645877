import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { EventSelector } from '../../../../src/vocabulary/event-selectors.ts';
import { events } from '../../api/events.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer/developer.module.css';
import { DeveloperPage } from '../developer/developer-page.tsx';
import { Refusal } from '../developer/refusal.tsx';
import { EventRow } from './event-row.tsx';
import { LiveBadge } from './live-badge.tsx';
import { TypeFilter } from './type-filter.tsx';
import { useNewEvents } from './use-new-events.ts';

const EXPECTED = 8;
const route = getRouteApi(PATHS.events);

export function EventsPage() {
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DeveloperPage title={EVENTS.title}>
      <p className={classes.intro}>{EVENTS.intro}</p>
      <TypeFilter
        type={type}
        onChange={(next) => navigate({ search: next === undefined ? {} : { type: next }, replace: true })}
      />
      <EventList key={type ?? ''} type={type} />
    </DeveloperPage>
  );
}

function EventList({ type }: { readonly type: EventSelector | undefined }) {
  const list = useInfiniteQuery(events(type));
  useNewEvents(type);
  if (list.data === undefined) {
    return list.error === null ? (
      <Card title={EVENTS.latest}>
        <LoadingRows count={EXPECTED} />
      </Card>
    ) : (
      <Refusal error={list.error} again={list.refetch} />
    );
  }
  const all = list.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) {
    return type === undefined ? (
      <Empty title={EVENTS.none} text={EVENTS.noneText} />
    ) : (
      <Empty title={EVENTS.unmatched} text={EVENTS.unmatchedText} />
    );
  }
  return (
    <Card title={EVENTS.latest} aside={<LiveBadge />}>
      <ul className={rows.rows}>
        {all.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      <MoreButton list={list} />
    </Card>
  );
}
