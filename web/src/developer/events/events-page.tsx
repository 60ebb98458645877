import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ServiceEvent } from '#client';
import { EVENT_KIND_NAMES } from '../../../../src/vocabulary/event-kinds.ts';
import {
  EVENT_FAMILIES,
  type EventSelector,
  isEventSelector,
  kindsNamed,
} from '../../../../src/vocabulary/event-selectors.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { events } from '../../api/events.ts';
import { useEvents, useFeedState } from '../../api/use-events.ts';
import { MoreButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, LoadingRows } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { EVENTS } from '../../text/events.ts';
import classes from '../developer.module.css';
import { DeveloperPage, Refusal } from '../developer-page.tsx';
import { EventRow, nounWords } from './event-row.tsx';

interface TypeFilterProps {
  readonly type: EventSelector | undefined;
  readonly onChange: (type: EventSelector | undefined) => void;
}

const ALL = '*';

/** Kinds below the family they belong to. */
const GROUPS = EVENT_FAMILIES.map((family) => ({
  group: nounWords(family),
  items: [
    { value: family, label: EVENTS.family(nounWords(family)) },
    ...EVENT_KIND_NAMES.filter((kind) => kind.startsWith(family.slice(0, -1))).map((kind) => ({
      value: kind,
      label: kind,
    })),
  ],
}));

function TypeFilter({ type, onChange }: TypeFilterProps) {
  return (
    <NativeSelect
      className={classes.filter ?? ''}
      label={EVENTS.type}
      value={type ?? ALL}
      data={[{ value: ALL, label: EVENTS.all }, ...GROUPS]}
      onChange={({ currentTarget: { value } }) =>
        onChange(isEventSelector(value) && value !== ALL ? value : undefined)
      }
    />
  );
}

const EXPECTED = 8;
const route = getRouteApi(APP_PATHS.events);

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

/** Whether the list is updated live. */
function LiveBadge() {
  const state = useFeedState();
  return state === 'live' || state === 'polling' ? (
    <StatusBadge tone="good">{EVENTS.live}</StatusBadge>
  ) : null;
}

/** Puts what happens now on top of the list of this kind or family. */
function useNewEvents(type: EventSelector | undefined): void {
  const queries = useQueryClient();
  const { queryKey } = events(type);
  useEvents({
    onEvent: (event) => {
      if (!kindsNamed([type ?? '*']).includes(event.type)) return;
      queries.setQueryData(queryKey, (known) => {
        const [first, ...others] = known?.pages ?? [];
        if (known === undefined || first === undefined || isListed(event, first.data)) return known;
        return { ...known, pages: [{ ...first, data: [event, ...first.data] }, ...others] };
      });
    },
    onGap: () => queries.invalidateQueries({ queryKey }),
  });
}

function isListed({ id }: ServiceEvent, listed: readonly ServiceEvent[]): boolean {
  return listed.some((one) => one.id === id);
}
