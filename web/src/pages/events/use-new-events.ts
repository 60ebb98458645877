import { useQueryClient } from '@tanstack/react-query';
import type { ServiceEvent } from '#client';
import { type EventSelector, kindsNamed } from '../../../../src/vocabulary/event-selectors.ts';
import { events } from '../../api/events.ts';
import { useEvents } from '../../api/use-events.ts';

/** Puts what happens now on top of the list of this kind or family. */
export function useNewEvents(type: EventSelector | undefined): void {
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
