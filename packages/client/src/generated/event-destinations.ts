// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { ServiceEvent } from './events.ts';

/** An address that receives events. */
export type EventDestination = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event_destination';
  /** For people. */
  readonly name: string;
  readonly status: 'enabled' | 'disabled';
  /** owner: disabled by a request; failing: its deliveries failed for days; gone: it answered 410. */
  readonly disabled_reason: 'owner' | 'failing' | 'gone' | null;
  /** When the first of the latest attempts failed, if none has succeeded since; it starts again after two days without an attempt. */
  readonly failing_since: string | null;
  readonly webhook_endpoint: {
    readonly url: string;
    readonly signing_secret: string | null;
  };
  /** Kinds of events, families such as sync_run.*, or * for all. */
  readonly enabled_events: readonly ('*' | 'connection.*' | 'consent.*' | 'sync_run.*' | 'destination.*' | 'sync.*' | 'event_destination.*' | 'api_key.*' | 'connection.created' | 'connection.renewed' | 'connection.refreshed' | 'connection.expiring' | 'connection.expired' | 'connection.invalidated' | 'connection.revoked' | 'consent.withdrawn' | 'sync_run.queued' | 'sync_run.started' | 'sync_run.succeeded' | 'sync_run.failed' | 'sync_run.cancelled' | 'destination.reauth_required' | 'destination.disabled' | 'sync.attention' | 'event_destination.ping' | 'event_destination.disabled' | 'api_key.expiring')[];
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedEventDestination = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event_destination';
  readonly deleted: true;
};

export interface EventDestinationsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface EventDestinationsCreateInput {
  /** For people. */
  readonly name: string;
  readonly webhook_endpoint: {
    readonly url: string;
  };
  readonly enabled_events: readonly ('*' | 'connection.*' | 'consent.*' | 'sync_run.*' | 'destination.*' | 'sync.*' | 'event_destination.*' | 'api_key.*' | 'connection.created' | 'connection.renewed' | 'connection.refreshed' | 'connection.expiring' | 'connection.expired' | 'connection.invalidated' | 'connection.revoked' | 'consent.withdrawn' | 'sync_run.queued' | 'sync_run.started' | 'sync_run.succeeded' | 'sync_run.failed' | 'sync_run.cancelled' | 'destination.reauth_required' | 'destination.disabled' | 'sync.attention' | 'event_destination.ping' | 'event_destination.disabled' | 'api_key.expiring')[];
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface EventDestinationsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventDestinationsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | undefined;
  readonly webhook_endpoint?: {
    readonly url: string;
  } | undefined;
  readonly enabled_events?: readonly ('*' | 'connection.*' | 'consent.*' | 'sync_run.*' | 'destination.*' | 'sync.*' | 'event_destination.*' | 'api_key.*' | 'connection.created' | 'connection.renewed' | 'connection.refreshed' | 'connection.expiring' | 'connection.expired' | 'connection.invalidated' | 'connection.revoked' | 'consent.withdrawn' | 'sync_run.queued' | 'sync_run.started' | 'sync_run.succeeded' | 'sync_run.failed' | 'sync_run.cancelled' | 'destination.reauth_required' | 'destination.disabled' | 'sync.attention' | 'event_destination.ping' | 'event_destination.disabled' | 'api_key.expiring')[] | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

export interface EventDestinationsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventDestinationsEnableInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventDestinationsDisableInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventDestinationsRotateSecretInput {
  /** Id of the object. */
  readonly id: string;
}

export interface EventDestinationsPingInput {
  /** Id of the object. */
  readonly id: string;
}

/** Addresses that are notified of what happens, by signed events. */
export class EventDestinations {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List event destinations.
   *
   * Needs `events:read`. Rate tier: `cheap`.
   */
  list(input: EventDestinationsListInput = {}, options?: CallOptions): List<EventDestination> {
    return this.#calls.list(
      { id: 'list_event_destinations', method: 'GET', path: '/v2/event_destinations', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Subscribe an address to events; its signing secret is shown once.
   *
   * The address must be public and use HTTPS on port 443. An account has at most 10.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  create(input: EventDestinationsCreateInput, options?: CallOptions): Promise<EventDestination> {
    return this.#calls.one(
      { id: 'create_event_destination', method: 'POST', path: '/v2/event_destinations' },
      input,
      options,
    );
  }

  /**
   * Read an event destination.
   *
   * Needs `events:read`. Rate tier: `cheap`.
   */
  get(input: EventDestinationsGetInput, options?: CallOptions): Promise<EventDestination> {
    return this.#calls.one(
      { id: 'get_event_destination', method: 'GET', path: '/v2/event_destinations/:id' },
      input,
      options,
    );
  }

  /**
   * Change an event destination's name, address, subscriptions or metadata.
   *
   * What waits to be sent goes to the new address. A metadata key set to null is removed.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  update(input: EventDestinationsUpdateInput, options?: CallOptions): Promise<EventDestination> {
    return this.#calls.one(
      { id: 'update_event_destination', method: 'POST', path: '/v2/event_destinations/:id' },
      input,
      options,
    );
  }

  /**
   * Delete an event destination; nothing more is sent to it.
   *
   * What waits to be sent is not sent any more.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  delete(input: EventDestinationsDeleteInput, options?: CallOptions): Promise<DeletedEventDestination> {
    return this.#calls.one(
      { id: 'delete_event_destination', method: 'DELETE', path: '/v2/event_destinations/:id' },
      input,
      options,
    );
  }

  /**
   * Enable an event destination; what waited is sent.
   *
   * Forgets earlier failures, and sends what waited.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  enable(input: EventDestinationsEnableInput, options?: CallOptions): Promise<EventDestination> {
    return this.#calls.one(
      { id: 'enable_event_destination', method: 'POST', path: '/v2/event_destinations/:id/enable' },
      input,
      options,
    );
  }

  /**
   * Disable an event destination until it is enabled again.
   *
   * What waits to be sent waits until it is enabled; what happens until then is not sent to it.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  disable(input: EventDestinationsDisableInput, options?: CallOptions): Promise<EventDestination> {
    return this.#calls.one(
      { id: 'disable_event_destination', method: 'POST', path: '/v2/event_destinations/:id/disable' },
      input,
      options,
    );
  }

  /**
   * Replace the signing secret of an event destination; for a day both sign.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  rotateSecret(input: EventDestinationsRotateSecretInput, options?: CallOptions): Promise<EventDestination> {
    return this.#calls.one(
      { id: 'rotate_event_destination_secret', method: 'POST', path: '/v2/event_destinations/:id/rotate_secret' },
      input,
      options,
    );
  }

  /**
   * Send an event to one event destination, to see whether it arrives.
   *
   * Answers with the event, so that the receiver can be asked whether it came.
   *
   * Needs `events:write`. Rate tier: `mutating`.
   */
  ping(input: EventDestinationsPingInput, options?: CallOptions): Promise<ServiceEvent> {
    return this.#calls.one(
      { id: 'ping_event_destination', method: 'POST', path: '/v2/event_destinations/:id/ping' },
      input,
      options,
    );
  }
}
