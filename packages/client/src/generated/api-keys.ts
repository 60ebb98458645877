// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A restricted API key. Its secret is shown once, when it is created or rotated. */
export type ApiKey = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'api_key';
  /** For people. */
  readonly name: string;
  /** The first 16 characters of the secret, for display. */
  readonly prefix: string;
  /** What the key may do; a :write scope implies the matching :read. They never change. */
  readonly scopes: readonly ('account:read' | 'connections:read' | 'connections:write' | 'data:read' | 'categories:read' | 'categories:write' | 'destinations:read' | 'destinations:write' | 'syncs:read' | 'syncs:write' | 'rules:read' | 'rules:write' | 'events:read' | 'events:write' | 'keys:write')[];
  /** Created before scopes existed; holds every :read scope. */
  readonly legacy: boolean;
  /** Text only in the answer that creates or rotates the key. */
  readonly secret: string | null;
  /** IPv4 addresses, CIDR ranges or exact IPv6 addresses the key may be used from; null: from anywhere. */
  readonly allowed_ips: readonly string[] | null;
  readonly expires_at: string | null;
  /** Set by a rotation: when this key stops working. */
  readonly expiring_at: string | null;
  readonly last_used_at: string | null;
  /** The key this one replaced. */
  readonly rotated_from: string | null;
  readonly status: 'active' | 'expiring' | 'revoked' | 'expired';
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedApiKey = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'api_key';
  readonly deleted: true;
};

export interface ApiKeysListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface ApiKeysCreateInput {
  /** For people. */
  readonly name: string;
  /** What the key may do; none that the calling key lacks. */
  readonly scopes: readonly ('account:read' | 'connections:read' | 'connections:write' | 'data:read' | 'categories:read' | 'categories:write' | 'destinations:read' | 'destinations:write' | 'syncs:read' | 'syncs:write' | 'rules:read' | 'rules:write' | 'events:read' | 'events:write' | 'keys:write')[];
  /** IPv4 addresses, CIDR ranges or exact IPv6 addresses; null or absent: from anywhere. Within those of the calling key, if it has any. */
  readonly allowed_ips?: readonly string[] | null | undefined;
  /** RFC 3339, in the future; not after the end of the calling key, where it has one. */
  readonly expires_at?: string | null | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface ApiKeysGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface ApiKeysUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

export interface ApiKeysRotateInput {
  /** Id of the object. */
  readonly id: string;
  /** How long the old key stays valid: 30m, 12h, 7d; 0 revokes it immediately. At most as long as the default. */
  readonly grace?: string | undefined;
}

export interface ApiKeysRevokeInput {
  /** Id of the object. */
  readonly id: string;
}

/** Keys that hold scopes. A key can never be given a scope its creator lacks. */
export class ApiKeys {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List API keys.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  list(input: ApiKeysListInput = {}, options?: CallOptions): List<ApiKey> {
    return this.#calls.list(
      { id: 'list_api_keys', method: 'GET', path: '/v2/api_keys', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Create an API key; its secret is shown once.
   *
   * Keep the secret: it cannot be shown again.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  create(input: ApiKeysCreateInput, options?: CallOptions): Promise<ApiKey> {
    return this.#calls.one(
      { id: 'create_api_key', method: 'POST', path: '/v2/api_keys' },
      input,
      options,
    );
  }

  /**
   * Read an API key.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  get(input: ApiKeysGetInput, options?: CallOptions): Promise<ApiKey> {
    return this.#calls.one(
      { id: 'get_api_key', method: 'GET', path: '/v2/api_keys/:id' },
      input,
      options,
    );
  }

  /**
   * Change an API key's name or metadata.
   *
   * Only name and metadata change. A metadata key set to null is removed.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  update(input: ApiKeysUpdateInput, options?: CallOptions): Promise<ApiKey> {
    return this.#calls.one(
      { id: 'update_api_key', method: 'POST', path: '/v2/api_keys/:id' },
      input,
      options,
    );
  }

  /**
   * Replace an API key; the old key stays valid during a grace period; the new secret is shown once.
   *
   * Answers the replacement, with its secret. The old key is `expiring` and works until `grace` is over: `7d` unless said otherwise, and at most.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  rotate(input: ApiKeysRotateInput, options?: CallOptions): Promise<ApiKey> {
    return this.#calls.one(
      { id: 'rotate_api_key', method: 'POST', path: '/v2/api_keys/:id/rotate' },
      input,
      options,
    );
  }

  /**
   * Revoke an API key; it stops working at once, everywhere.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  revoke(input: ApiKeysRevokeInput, options?: CallOptions): Promise<DeletedApiKey> {
    return this.#calls.one(
      { id: 'revoke_api_key', method: 'DELETE', path: '/v2/api_keys/:id' },
      input,
      options,
    );
  }
}
