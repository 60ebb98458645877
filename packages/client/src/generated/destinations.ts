// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A place that syncs write to. */
export type Destination = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'destination';
  readonly type: 'sheets' | 'notion' | 'airtable' | 'ynab' | 'webhook' | 'postgres' | 'actual' | 'csv_folder';
  /** For people. */
  readonly name: string;
  /** incomplete: no target yet; reauth_required: link it again; disabled: a webhook whose deliveries kept failing. */
  readonly status: 'active' | 'incomplete' | 'reauth_required' | 'disabled';
  /** Where it writes; the keys depend on the type. */
  readonly target: Readonly<Record<string, string>>;
  /** For a webhook its signing secret, only in the answers that create or rotate it. */
  readonly config: {
    /** Shown only by create and rotate_secret. */
    readonly signing_secret: string;
  } | null;
  /** Syncs that write to it. */
  readonly sync_count: number;
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedDestination = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'destination';
  readonly deleted: true;
};

/** Something that can be the target of a destination. */
export type DestinationResource = {
  /** Which kind of object this is. */
  readonly object: 'destination_resource';
  readonly type: 'spreadsheet' | 'sheet' | 'database' | 'base' | 'table' | 'budget' | 'account' | 'category' | 'schema' | 'folder';
  /** The vendor's own id. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Its parent, if it has one. */
  readonly parent: string | null;
  readonly url: string | null;
};

/** One event that was sent to a webhook: counts and attempts, never its rows. */
export type WebhookDelivery = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'webhook_delivery';
  /** Id of the destination, dest_…. */
  readonly destination: string;
  /** Id of the sync, sync_…. */
  readonly sync: string;
  /** The run that produced it; null for a replay. */
  readonly sync_run: string | null;
  /** The id of the event as it was sent. */
  readonly event: string;
  readonly type: 'transactions.synced' | 'trades.synced';
  /** failed: the receiver did not take it; it may be sent again under the same event id. */
  readonly status: 'succeeded' | 'failed';
  readonly new_count: number;
  readonly updated_count: number;
  readonly removed_count: number;
  /** Attempts so far. */
  readonly attempt_count: number;
  /** The latest attempts, oldest first. `answer` is how an answer outside 2xx begins, at most 300 characters. */
  readonly attempts: readonly {
    readonly attempted: string;
    readonly duration_ms: number;
    readonly status_code: number | null;
    readonly failure: 'timeout' | 'connection' | 'refused_address' | 'answer_too_large' | null;
    readonly answer: string | null;
  }[];
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
};

/** What was sent to a webhook again. */
export type WebhookReplay = {
  /** Which kind of object this is. */
  readonly object: 'webhook_replay';
  /** Rows, and ids of removed rows, that the receiver took. */
  readonly sent: number;
  /** Rows of the delivery that the bank does not return any more, that were removed or that rules skip now; null for a replay of days. */
  readonly missing: number | null;
  /** Rows that were never delivered: the next run sends them. */
  readonly undelivered: number;
  /** Events that the receiver took. */
  readonly deliveries: number;
  /** Why it is incomplete; null if it is complete. */
  readonly failure: {
    /** A code of the error reference, or of a failed run. */
    readonly code: string;
  } | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface DestinationsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface DestinationsCreateInput {
  /** webhook, postgres, actual or csv_folder. */
  readonly type: 'sheets' | 'notion' | 'airtable' | 'ynab' | 'webhook' | 'postgres' | 'actual' | 'csv_folder';
  /** Required for a webhook; otherwise the name of the server. */
  readonly name?: string | undefined;
  /** All keys of the type at once: a draft destination becomes active. */
  readonly target?: Readonly<Record<string, string>> | undefined;
  /** The address of your own server with the credentials for it. Tried at once, stored sealed, never shown again. */
  readonly secret?: string | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface DestinationsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DestinationsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | undefined;
  /** All keys of the type at once: a draft destination becomes active. */
  readonly target?: Readonly<Record<string, string>> | undefined;
  /** The address of your own server with the credentials for it. Tried at once, stored sealed, never shown again. Replaces the one before. */
  readonly secret?: string | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

export interface DestinationsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DestinationsRotateSecretInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DestinationsEnableInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DestinationsCreateTargetInput {
  /** Id of the object. */
  readonly id: string;
  /** What to call it. */
  readonly name: string;
  /** The vendor's id of what it is to lie in, for vendors that need one. */
  readonly parent?: string | null | undefined;
  /** The type of the sync that is to write there: decides the columns. */
  readonly type?: 'transactions' | 'holdings' | 'trades' | undefined;
}

export interface DestinationsListResourcesInput {
  /** Id of the object. */
  readonly id: string;
  /** What is listed. */
  readonly type: 'spreadsheet' | 'sheet' | 'database' | 'base' | 'table' | 'budget' | 'account' | 'category' | 'schema' | 'folder';
  /** Id of their parent. */
  readonly parent?: string | undefined;
}

export interface DestinationsListWebhookDeliveriesInput {
  /** Id of the object. */
  readonly id: string;
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface DestinationsReplayWebhookDeliveryInput {
  /** Id of the object. */
  readonly id: string;
  /** The delivery in the path. */
  readonly delivery: string;
}

/** Where syncs write: a spreadsheet, a database, a budgeting app or a signed webhook. */
export class Destinations {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List destinations.
   *
   * Needs `destinations:read`. Rate tier: `cheap`.
   */
  list(input: DestinationsListInput = {}, options?: CallOptions): List<Destination> {
    return this.#calls.list(
      { id: 'list_destinations', method: 'GET', path: '/v2/destinations', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Create a webhook, or connect a server of your own with a secret.
   *
   * A webhook, or a type that connects with a secret. The other types are linked by a person, with a destination link.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  create(input: DestinationsCreateInput, options?: CallOptions): Promise<Destination> {
    return this.#calls.one(
      { id: 'create_destination', method: 'POST', path: '/v2/destinations' },
      input,
      options,
    );
  }

  /**
   * Read a destination.
   *
   * Needs `destinations:read`. Rate tier: `cheap`.
   */
  get(input: DestinationsGetInput, options?: CallOptions): Promise<Destination> {
    return this.#calls.one(
      { id: 'get_destination', method: 'GET', path: '/v2/destinations/:id' },
      input,
      options,
    );
  }

  /**
   * Change a destination's name, target, secret or metadata; a target makes a draft active.
   *
   * A target makes a draft active. A metadata key set to null is removed.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  update(input: DestinationsUpdateInput, options?: CallOptions): Promise<Destination> {
    return this.#calls.one(
      { id: 'update_destination', method: 'POST', path: '/v2/destinations/:id' },
      input,
      options,
    );
  }

  /**
   * Delete a destination and the syncs that write to it.
   *
   * Also deletes the syncs that wrote only to it. Delivered data stays where it is.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  delete(input: DestinationsDeleteInput, options?: CallOptions): Promise<DeletedDestination> {
    return this.#calls.one(
      { id: 'delete_destination', method: 'DELETE', path: '/v2/destinations/:id' },
      input,
      options,
    );
  }

  /**
   * Replace a webhook's signing secret; for a day both sign.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  rotateSecret(input: DestinationsRotateSecretInput, options?: CallOptions): Promise<Destination> {
    return this.#calls.one(
      { id: 'rotate_destination_secret', method: 'POST', path: '/v2/destinations/:id/rotate_secret' },
      input,
      options,
    );
  }

  /**
   * Enable a webhook that was disabled because its deliveries failed.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  enable(input: DestinationsEnableInput, options?: CallOptions): Promise<Destination> {
    return this.#calls.one(
      { id: 'enable_destination', method: 'POST', path: '/v2/destinations/:id/enable' },
      input,
      options,
    );
  }

  /**
   * Make a spreadsheet, database or table for a draft destination, and aim it there.
   *
   * For a linked destination without a target, at vendors that can make one; it is active afterwards. When the vendor did not answer, ask again: what it made is found, not made twice.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  createTarget(input: DestinationsCreateTargetInput, options?: CallOptions): Promise<Destination> {
    return this.#calls.one(
      { id: 'create_destination_target', method: 'POST', path: '/v2/destinations/:id/create_target' },
      input,
      options,
    );
  }

  /**
   * List the possible targets of a destination; a webhook has none to choose from.
   *
   * Live from the vendor. A kind that has a parent takes `parent`, which defaults to the current target.
   *
   * Needs `destinations:read`. Rate tier: `mid`.
   */
  listResources(input: DestinationsListResourcesInput, options?: CallOptions): List<DestinationResource> {
    return this.#calls.list(
      { id: 'list_destination_resources', method: 'GET', path: '/v2/destinations/:id/resources', query: ['type', 'parent'] },
      input,
      options,
    );
  }

  /**
   * List what was sent to a webhook lately, and how it was answered.
   *
   * The latest 50 events.
   *
   * Needs `destinations:read`. Rate tier: `cheap`.
   */
  listWebhookDeliveries(input: DestinationsListWebhookDeliveriesInput, options?: CallOptions): List<WebhookDelivery> {
    return this.#calls.list(
      { id: 'list_webhook_deliveries', method: 'GET', path: '/v2/destinations/:id/deliveries', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Send the rows of a delivery to its webhook again, as the bank has them now.
   *
   * Outside a run: `metadata.sync_run_id` is null, event ids are new, rows are in `data.new`. What was delivered stays recorded as it is.
   *
   * Needs `destinations:write`. Rate tier: `heavy`.
   */
  replayWebhookDelivery(input: DestinationsReplayWebhookDeliveryInput, options?: CallOptions): Promise<WebhookReplay> {
    return this.#calls.one(
      { id: 'replay_webhook_delivery', method: 'POST', path: '/v2/destinations/:id/deliveries/:delivery/replay' },
      input,
      options,
    );
  }
}
