// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A program that has claimed a setup token and has credentials of its own for the bridge. */
export type SimplefinApp = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'simplefin_app';
  /** The name of its setup token, until it is renamed. */
  readonly name: string;
  /** Whether it is sent amounts rounded to two decimals. Otherwise they are exact, with at least two decimals. */
  readonly two_decimals: boolean;
  /** Whether it is sent no `extra` of accounts and transactions. */
  readonly leave_out_extra: boolean;
  /** The setup token it has claimed. */
  readonly setup_token: string;
  readonly status: 'active' | 'revoked';
  /** When it last used its credentials, to within seconds. */
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedSimplefinApp = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'simplefin_app';
  readonly deleted: true;
};

export interface SimplefinAppsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface SimplefinAppsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SimplefinAppsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | undefined;
  /** true for apps that take the last two digits of an amount for cents. */
  readonly two_decimals?: boolean | undefined;
  /** true for apps that are to be sent no `extra`, which holds ids and categories. */
  readonly leave_out_extra?: boolean | undefined;
}

export interface SimplefinAppsRevokeInput {
  /** Id of the object. */
  readonly id: string;
}

/** Programs that read banking data over the SimpleFIN-compatible bridge. */
export class SimplefinApps {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List SimpleFIN apps.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  list(input: SimplefinAppsListInput = {}, options?: CallOptions): List<SimplefinApp> {
    return this.#calls.list(
      { id: 'list_simplefin_apps', method: 'GET', path: '/v2/simplefin_apps', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Read a SimpleFIN app.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  get(input: SimplefinAppsGetInput, options?: CallOptions): Promise<SimplefinApp> {
    return this.#calls.one(
      { id: 'get_simplefin_app', method: 'GET', path: '/v2/simplefin_apps/:id' },
      input,
      options,
    );
  }

  /**
   * Change a SimpleFIN app.
   *
   * What the app asks for from now on is answered by the change.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  update(input: SimplefinAppsUpdateInput, options?: CallOptions): Promise<SimplefinApp> {
    return this.#calls.one(
      { id: 'update_simplefin_app', method: 'POST', path: '/v2/simplefin_apps/:id' },
      input,
      options,
    );
  }

  /**
   * Revoke a SimpleFIN app; its credentials stop working at once, everywhere.
   *
   * Other apps and API keys go on. A revoked app stays listed.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  revoke(input: SimplefinAppsRevokeInput, options?: CallOptions): Promise<DeletedSimplefinApp> {
    return this.#calls.one(
      { id: 'revoke_simplefin_app', method: 'DELETE', path: '/v2/simplefin_apps/:id' },
      input,
      options,
    );
  }
}
