// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** Filters of transactions under a name, which the web application shows on every device. */
export type SavedView = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'saved_view';
  /** For people. */
  readonly name: string;
  /** The filters, as in the address of the transactions page of the application. */
  readonly query: string;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedSavedView = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'saved_view';
  readonly deleted: true;
};

export interface SavedViewsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface SavedViewsCreateInput {
  /** For people. */
  readonly name: string;
  /** The filters, as in the address of the transactions page of the application: `kind=out&days=30`. Not checked here; the page leaves out what it does not know. */
  readonly query: string;
}

export interface SavedViewsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SavedViewsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | undefined;
  /** The filters, as in the address of the transactions page of the application: `kind=out&days=30`. Not checked here; the page leaves out what it does not know. */
  readonly query?: string | undefined;
}

export interface SavedViewsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

/** Filters of transactions that people keep under a name in the web application. */
export class SavedViews {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List saved views of transactions.
   *
   * Needs `categories:read`. Rate tier: `cheap`.
   */
  list(input: SavedViewsListInput = {}, options?: CallOptions): List<SavedView> {
    return this.#calls.list(
      { id: 'list_saved_views', method: 'GET', path: '/v2/saved_views', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Save filters of transactions under a name.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  create(input: SavedViewsCreateInput, options?: CallOptions): Promise<SavedView> {
    return this.#calls.one(
      { id: 'create_saved_view', method: 'POST', path: '/v2/saved_views' },
      input,
      options,
    );
  }

  /**
   * Read a saved view.
   *
   * Needs `categories:read`. Rate tier: `cheap`.
   */
  get(input: SavedViewsGetInput, options?: CallOptions): Promise<SavedView> {
    return this.#calls.one(
      { id: 'get_saved_view', method: 'GET', path: '/v2/saved_views/:id' },
      input,
      options,
    );
  }

  /**
   * Rename a saved view, or change its filters.
   *
   * Omitted fields are unchanged.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  update(input: SavedViewsUpdateInput, options?: CallOptions): Promise<SavedView> {
    return this.#calls.one(
      { id: 'update_saved_view', method: 'POST', path: '/v2/saved_views/:id' },
      input,
      options,
    );
  }

  /**
   * Delete a saved view; its transactions stay.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  delete(input: SavedViewsDeleteInput, options?: CallOptions): Promise<DeletedSavedView> {
    return this.#calls.one(
      { id: 'delete_saved_view', method: 'DELETE', path: '/v2/saved_views/:id' },
      input,
      options,
    );
  }
}
