import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { ServiceEvent } from '#client';
import type { EventListener } from './event-feed.ts';
import { heldRows } from './held-rows.ts';
import { queries } from './queries.ts';

type Family<T = ServiceEvent['type']> = T extends `${infer F}.${string}` ? F : never;

const SYNCS: readonly QueryKey[] = [['syncs'], ['sync-runs'], ['sync-run']];

/** What pages have read that an event of the family may change. */
const CHANGED: Readonly<Record<Family, readonly QueryKey[]>> = {
  connection: [['connections'], ['consents'], ['accounts'], ['documents']],
  consent: [['connections'], ['consents']],
  sync_run: SYNCS,
  sync: SYNCS,
  destination: [['destinations']],
  event_destination: [['event_destinations']],
  api_key: [['api_keys']],
};

/** Lists of events, which the page of events keeps up to date itself while it is shown. */
const EVENTS: readonly QueryKey[] = [
  ['events', 'pages'],
  ['events', 'latest'],
];

/** Many runs may begin and end at once, so data is refetched at most this often. */
const APART_MS = 1_500;

/**
 * Refetches what events change, whichever page is shown: an event that arrives while one page gives way to another must
 * not be lost. What no page shows is refetched when one does. A read under way is not cancelled, or a slow one would
 * never end while events keep coming; it is followed by another.
 */
export class EventReads implements EventListener {
  readonly #queries: QueryClient;
  readonly #changed = new Set<QueryKey>();
  readonly #fetching = new Set<string>();
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(cache: QueryClient) {
    this.#queries = cache;
  }

  readonly onEvent = ({ type, related_object: of }: Pick<ServiceEvent, 'type' | 'related_object'>): void => {
    this.#eventsChanged();
    if (type === 'connection.refreshed' && this.#fetching.delete(of.id)) this.#bankFetched();
    const [family = ''] = type.split('.');
    if (isFamily(family)) this.#refetch(CHANGED[family]);
  };

  readonly onGap = (): void => {
    this.#eventsChanged();
    if (this.#fetching.size > 0) this.#bankFetched();
    this.#refetch(Object.values(CHANGED).flat());
  };

  /** Everything is refetched once the provider has fetched from the bank of this connection. */
  awaitFetch(connection: string): void {
    this.#fetching.add(connection);
  }

  #refetch(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#changed.add(key);
    if (this.#timer !== null) return;
    const refetch = () => {
      this.#timer = null;
      this.#last = performance.now();
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const queryKey of changed) this.#queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
    };
    this.#timer = setTimeout(refetch, Math.max(0, this.#last + APART_MS - performance.now()));
  }

  #eventsChanged(): void {
    for (const queryKey of EVENTS) this.#queries.invalidateQueries({ queryKey, refetchType: 'none' });
  }

  #bankFetched(): void {
    heldRows.forget();
    this.#queries.invalidateQueries();
  }
}

function isFamily(text: string): text is Family {
  return Object.hasOwn(CHANGED, text);
}

/** Those of this tab. */
export const eventReads = new EventReads(queries);
