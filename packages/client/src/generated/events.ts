// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** Something that happened. It says what it is about; read that for the rest. */
export type ServiceEvent = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.created' | 'connection.renewed' | 'connection.refreshed' | 'connection.expiring' | 'connection.expired' | 'connection.invalidated' | 'connection.revoked' | 'consent.withdrawn' | 'sync_run.queued' | 'sync_run.started' | 'sync_run.succeeded' | 'sync_run.failed' | 'sync_run.cancelled' | 'destination.reauth_required' | 'destination.disabled' | 'sync.attention' | 'event_destination.ping' | 'event_destination.disabled' | 'api_key.expiring';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  /** Whose it is, acc_…: the id of `GET /v2/me`. */
  readonly account_record: string;
  /** What it is about, and the path that reads it. */
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection' | 'consent' | 'sync_run' | 'destination' | 'sync' | 'event_destination' | 'api_key';
    readonly url: string;
  };
  /** Always null. */
  readonly data: null;
};

/** What was sent of an event to one event destination. */
export type EventDelivery = {
  /** Which kind of object this is. */
  readonly object: 'event_delivery';
  readonly event: string;
  readonly event_destination: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** Attempts since it was last to be sent. */
  readonly attempt_count: number;
  /** When it is sent next; null once it has ended. */
  readonly next_attempt: string | null;
  /** The latest attempts, oldest first. `answer` is how an answer outside 2xx begins, at most 300 characters. */
  readonly attempts: readonly {
    readonly attempted: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    readonly failure: 'timeout' | 'connection' | 'refused_address' | 'answer_too_large' | null;
    readonly answer: string | null;
  }[];
};

export interface EventsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Kinds of events, or families such as sync_run.*. */
  readonly type?: readonly ('*' | 'connection.*' | 'consent.*' | 'sync_run.*' | 'destination.*' | 'sync.*' | 'event_destination.*' | 'api_key.*' | 'connection.created' | 'connection.renewed' | 'connection.refreshed' | 'connection.expiring' | 'connection.expired' | 'connection.invalidated' | 'connection.revoked' | 'consent.withdrawn' | 'sync_run.queued' | 'sync_run.started' | 'sync_run.succeeded' | 'sync_run.failed' | 'sync_run.cancelled' | 'destination.reauth_required' | 'destination.disabled' | 'sync.attention' | 'event_destination.ping' | 'event_destination.disabled' | 'api_key.expiring')[] | undefined;
}

export interface EventsStreamInput {
  /** Kinds of events, or families such as sync_run.*. */
  readonly type?: readonly ('*' | 'connection.*' | 'consent.*' | 'sync_run.*' | 'destination.*' | 'sync.*' | 'event_destination.*' | 'api_key.*' | 'connection.created' | 'connection.renewed' | 'connection.refreshed' | 'connection.expiring' | 'connection.expired' | 'connection.invalidated' | 'connection.revoked' | 'consent.withdrawn' | 'sync_run.queued' | 'sync_run.started' | 'sync_run.succeeded' | 'sync_run.failed' | 'sync_run.cancelled' | 'destination.reauth_required' | 'destination.disabled' | 'sync.attention' | 'event_destination.ping' | 'event_destination.disabled' | 'api_key.expiring')[] | undefined;
  /** The same as the header Last-Event-ID, for clients that cannot set it. */
  readonly last_event_id?: string | undefined;
}

export interface EventsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventsListDeliveriesInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventsRedeliverInput {
  /** Id of the object. */
  readonly id: string;
}

/** What happened in the last 30 days, and what was sent of it. */
export class Events {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List events of the last 30 days.
   *
   * Needs `events:read`. Rate tier: `cheap`.
   */
  list(input: EventsListInput = {}, options?: CallOptions): List<ServiceEvent> {
    return this.#calls.list(
      { id: 'list_events', method: 'GET', path: '/v2/events', query: ['limit', 'page', 'type[]'] },
      input,
      options,
    );
  }

  /**
   * Receive events as they happen.
   *
   * Server-sent events: each with its id, its type as `event`, and its body as `data`. Without `Last-Event-ID` the stream begins with what happens from now on. It ends when the key is no longer valid or the service stops; connect again with the id of the last event.
   *
   * Needs `events:read`. Rate tier: `mid`.
   */
  stream(input: EventsStreamInput = {}, options?: CallOptions): Promise<Response> {
    return this.#calls.stream(
      { id: 'stream_events', method: 'GET', path: '/v2/events/stream', query: ['type[]', 'last_event_id'] },
      input,
      options,
    );
  }

  /**
   * Read an event.
   *
   * Needs `events:read`. Rate tier: `cheap`.
   */
  get(input: EventsGetInput, options?: CallOptions): Promise<ServiceEvent> {
    return this.#calls.one(
      { id: 'get_event', method: 'GET', path: '/v2/events/:id' },
      input,
      options,
    );
  }

  /**
   * List what was sent of an event, and what is still to be, by event destination.
   *
   * Needs `events:read`. Rate tier: `cheap`.
   */
  listDeliveries(input: EventsListDeliveriesInput, options?: CallOptions): List<EventDelivery> {
    return this.#calls.list(
      { id: 'list_event_deliveries', method: 'GET', path: '/v2/events/:id/deliveries' },
      input,
      options,
    );
  }

  /**
   * Send an event again to the event destinations that subscribe to it.
   *
   * To every enabled event destination that subscribes to it now, whether or not it has received it before.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  redeliver(input: EventsRedeliverInput, options?: CallOptions): Promise<ServiceEvent> {
    return this.#calls.one(
      { id: 'redeliver_event', method: 'POST', path: '/v2/events/:id/redeliver' },
      input,
      options,
    );
  }
}
