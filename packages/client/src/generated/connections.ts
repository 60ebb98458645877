// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { LinkSession } from './link-sessions.ts';
import type { SyncRun } from './sync-runs.ts';

/** A bank linked under one consent. */
export type Connection = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'connection';
  /** Which provider serves it. */
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files';
  readonly category: 'banking' | 'brokerage' | 'documents';
  readonly institution: InstitutionSummary;
  /** The bank that was named for the link session, where the person linked another at the vendor; null otherwise, once that bank is linked, and after an update with null. */
  readonly chosen_institution: {
    readonly id: string;
    readonly name: string;
  } | null;
  /** Computed. pending: accounts have not been imported yet; expiring: the consent ends within 30 days; invalidated: ended by the bank. */
  readonly status: 'pending' | 'active' | 'expiring' | 'expired' | 'invalidated' | 'revoked';
  readonly account_count: number;
  /** When the provider last copied its data from the bank; where the provider does not say, when its accounts were last listed. */
  readonly last_refreshed_at: string | null;
  readonly consent: {
    readonly id: string;
    readonly status: 'active' | 'expiring' | 'expired' | 'withdrawn';
    readonly expires_at: string | null;
  } | null;
  /** Ids of the accounts, acct_…. */
  readonly accounts: readonly Account[] | null;
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type InstitutionSummary = {
  readonly id: string;
  readonly name: string;
  readonly logo: string;
};

/** A linked account. */
export type Account = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'account_item';
  /** Id of the connection, conn_…. */
  readonly connection: string;
  /** Which provider serves it. */
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files';
  readonly category: 'banking' | 'brokerage' | 'documents';
  /** For people. */
  readonly name: string;
  readonly type: 'transaction' | 'savings' | 'credit-card' | 'loan' | 'investment' | 'term-deposit' | 'other';
  readonly institution: InstitutionSummary;
  /** Masked to its last four digits. */
  readonly account_number: string | null;
  /** ISO 4217, lower case. */
  readonly currency: string;
  /** The owner’s own name for it, which the web application shows instead of the bank’s. */
  readonly nickname: string | null;
  /** Whether the web application counts it in net worth, balances and spending. Nothing else depends on it. */
  readonly in_totals: boolean;
  /** Loans and credit cards: what a positive figure of the bank means. unverified: one was seen, and nothing says which. null: it never was in question. */
  readonly balance_sign: 'unverified' | 'owed' | 'in_credit' | null;
  /** The account to count instead of this one: the same account at the bank, linked by another of your connections. Null for the one that counts. */
  readonly duplicate_of: string | null;
  /** unavailable: the provider no longer returns it. */
  readonly status: 'available' | 'unavailable';
  readonly last_updated_at: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedConnection = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'connection';
  readonly deleted: true;
};

export interface ConnectionsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only those with one of these statuses. */
  readonly status?: readonly ('pending' | 'active' | 'expiring' | 'expired' | 'invalidated' | 'revoked')[] | undefined;
  /** Only those of this provider. */
  readonly provider?: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files' | undefined;
  /** Members that are null unless named here. */
  readonly include?: readonly 'accounts'[] | undefined;
}

export interface ConnectionsGetInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'accounts'[] | undefined;
}

export interface ConnectionsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'accounts'[] | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
  /** Only null: the bank that was linked is the right one. */
  readonly chosen_institution?: null | undefined;
}

export interface ConnectionsReauthorizeInput {
  /** Id of the object. */
  readonly id: string;
  /** The connection's own, if it is named at all. */
  readonly provider?: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files' | null | undefined;
  /** Where the person is sent afterwards. */
  readonly return_url?: string | null | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface ConnectionsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

export interface ConnectionsRefreshInput {
  /** Id of the object. */
  readonly id: string;
}

/** Linked banks and brokerages. */
export class Connections {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List connections; revoked ones only when asked for by status.
   *
   * Revoked connections are listed only where `status[]=revoked` asks for them.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  list(input: ConnectionsListInput = {}, options?: CallOptions): List<Connection> {
    return this.#calls.list(
      { id: 'list_connections', method: 'GET', path: '/v2/connections', query: ['limit', 'page', 'status[]', 'provider', 'include[]'] },
      input,
      options,
    );
  }

  /**
   * Read a connection.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  get(input: ConnectionsGetInput, options?: CallOptions): Promise<Connection> {
    return this.#calls.one(
      { id: 'get_connection', method: 'GET', path: '/v2/connections/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Change a connection's metadata, or settle its chosen_institution.
   *
   * A metadata key set to null is removed.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  update(input: ConnectionsUpdateInput, options?: CallOptions): Promise<Connection> {
    return this.#calls.one(
      { id: 'update_connection', method: 'POST', path: '/v2/connections/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Start renewing a connection in place; send the person to the url of the answer.
   *
   * The connection and its accounts keep their ids. Takes no connection slot. Without `return_url` the person is sent to the web application.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  reauthorize(input: ConnectionsReauthorizeInput, options?: CallOptions): Promise<LinkSession> {
    return this.#calls.one(
      { id: 'reauthorize_connection', method: 'POST', path: '/v2/connections/:id/reauthorize' },
      input,
      options,
    );
  }

  /**
   * Revoke a connection: withdraw the consent, stop its syncs, delete the stored credentials.
   *
   * Withdraws the consent at the provider, disables the syncs that read the connection and deletes the stored credentials. Data already delivered to destinations stays there.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  delete(input: ConnectionsDeleteInput, options?: CallOptions): Promise<DeletedConnection> {
    return this.#calls.one(
      { id: 'delete_connection', method: 'DELETE', path: '/v2/connections/:id' },
      input,
      options,
    );
  }

  /**
   * Read the connection again, and queue a run of every enabled sync that reads it.
   *
   * Answers the queued runs; a sync that is running already is left alone. What is cached of the connection is purged, once in 15 minutes; `reads` says whether it was.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  refresh(input: ConnectionsRefreshInput, options?: CallOptions): Promise<{
    readonly object: 'list';
    readonly data: readonly SyncRun[];
    readonly next_page_url: string | null;
    readonly previous_page_url: string | null;
    /** Whether the cached balances, details and transactions of the connection were purged, so that the next reads ask the provider; when they were purged last; and from when a refresh purges them again. */
    readonly reads: {
      readonly purged: boolean;
      readonly purged_at: string;
      readonly available_at: string;
    };
  }> {
    return this.#calls.one(
      { id: 'refresh_connection', method: 'POST', path: '/v2/connections/:id/refresh' },
      input,
      options,
    );
  }
}
