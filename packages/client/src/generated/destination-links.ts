// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';

/** One person's authorisation at a vendor's sign-in. It lives 30 minutes. */
export type DestinationLink = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'destination_link';
  readonly type: 'sheets' | 'notion' | 'airtable' | 'ynab' | 'webhook' | 'postgres' | 'actual' | 'csv_folder';
  readonly status: 'pending' | 'completed' | 'failed' | 'expired';
  /** The hosted page to send the person to. */
  readonly url: string;
  /** Once completed: the draft destination, which needs a target, or the one linked again. */
  readonly destination: string | null;
  /** Where the person is sent afterwards. */
  readonly return_url: string;
  /** Why it failed, once it has. */
  readonly failure_reason: string | null;
  readonly expires_at: string | null;
  /** When it was done. */
  readonly completed_at: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export interface DestinationLinksCreateInput {
  readonly type: 'sheets' | 'notion' | 'airtable' | 'ynab' | 'webhook' | 'postgres' | 'actual' | 'csv_folder';
  /** Where the person is sent afterwards. */
  readonly return_url: string;
  /** Id of the destination, dest_…. */
  readonly destination?: string | null | undefined;
}

export interface DestinationLinksGetInput {
  /** Id of the object. */
  readonly id: string;
}

/** Connecting a spreadsheet, a database or a budgeting app: create a link, send the person to its url, read it until it leaves pending. */
export class DestinationLinks {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Start connecting a destination, or connecting one again; send the person to url.
   *
   * With `destination`, that one is linked again. A webhook is created directly instead.
   *
   * Needs `destinations:write`. Rate tier: `mutating`.
   */
  create(input: DestinationLinksCreateInput, options?: CallOptions): Promise<DestinationLink> {
    return this.#calls.one(
      { id: 'create_destination_link', method: 'POST', path: '/v2/destination_links' },
      input,
      options,
    );
  }

  /**
   * Read a destination link; once completed it carries its destination.
   *
   * Needs `destinations:write`. Rate tier: `cheap`.
   */
  get(input: DestinationLinksGetInput, options?: CallOptions): Promise<DestinationLink> {
    return this.#calls.one(
      { id: 'get_destination_link', method: 'GET', path: '/v2/destination_links/:id' },
      input,
      options,
    );
  }
}
