// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** The record of a consent. It outlives its connection. */
export type Consent = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'consent';
  /** Id of the connection, conn_…. */
  readonly connection: string;
  /** Which provider serves it. */
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files';
  readonly status: 'active' | 'expiring' | 'expired' | 'withdrawn';
  readonly purpose: string | null;
  readonly data_categories: readonly string[];
  readonly granted_at: string;
  /** null for brokerage, whose consents do not expire. */
  readonly expires_at: string | null;
  readonly withdrawn_at: string | null;
  readonly termination_reason: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export interface ConsentsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only those of this connection, conn_…. */
  readonly connection?: string | undefined;
}

export interface ConsentsGetInput {
  /** Id of the object. */
  readonly id: string;
}

/** What people allowed, when it ends and how it ended. */
export class Consents {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List consents, including those that ended.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  list(input: ConsentsListInput = {}, options?: CallOptions): List<Consent> {
    return this.#calls.list(
      { id: 'list_consents', method: 'GET', path: '/v2/consents', query: ['limit', 'page', 'connection'] },
      input,
      options,
    );
  }

  /**
   * Read a consent.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  get(input: ConsentsGetInput, options?: CallOptions): Promise<Consent> {
    return this.#calls.one(
      { id: 'get_consent', method: 'GET', path: '/v2/consents/:id' },
      input,
      options,
    );
  }
}
