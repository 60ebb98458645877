// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** What one app may do, because a person allowed it on the consent page. */
export type ConnectedApp = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'connected_app';
  /** What the app calls itself; it is not verified. */
  readonly name: string | null;
  /** Its OAuth client id: the https address of its metadata, or an id it was given when it registered. */
  readonly client_id: string;
  /** The host, or the scheme of an app of the device, that the person was sent back to. */
  readonly redirects_to: string;
  /** The one API that its tokens open. */
  readonly resource: string;
  readonly scopes: readonly ('mcp:read' | 'account:read' | 'connections:read' | 'data:read' | 'categories:read' | 'destinations:read' | 'syncs:read' | 'rules:read' | 'events:read' | 'brokerage:read' | 'connections:write' | 'categories:write' | 'destinations:write' | 'syncs:write' | 'rules:write' | 'events:write')[];
  /** Who let it in. */
  readonly user: string;
  readonly status: 'active' | 'expired' | 'revoked';
  /** When the last of its tokens expires; each refresh moves it on. */
  readonly expires_at: string;
  /** When it last used a token, to within seconds. */
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedConnectedApp = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'connected_app';
  readonly deleted: true;
};

export interface ConnectedAppsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface ConnectedAppsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface ConnectedAppsRevokeInput {
  /** Id of the object. */
  readonly id: string;
}

/** Apps and agents that a person has let in by OAuth. */
export class ConnectedApps {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List connected apps.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  list(input: ConnectedAppsListInput = {}, options?: CallOptions): List<ConnectedApp> {
    return this.#calls.list(
      { id: 'list_connected_apps', method: 'GET', path: '/v2/connected_apps', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Read a connected app.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  get(input: ConnectedAppsGetInput, options?: CallOptions): Promise<ConnectedApp> {
    return this.#calls.one(
      { id: 'get_connected_app', method: 'GET', path: '/v2/connected_apps/:id' },
      input,
      options,
    );
  }

  /**
   * Disconnect an app; its tokens stop working at once, everywhere.
   *
   * Other apps and API keys go on. A disconnected app stays listed for a while.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  revoke(input: ConnectedAppsRevokeInput, options?: CallOptions): Promise<DeletedConnectedApp> {
    return this.#calls.one(
      { id: 'revoke_connected_app', method: 'DELETE', path: '/v2/connected_apps/:id' },
      input,
      options,
    );
  }
}
