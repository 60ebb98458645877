// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';

/** The account record behind a key: its plan, what it may do, and the key in use. */
export type AccountRecord = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'account';
  /** What its owner calls it, shown to people who link a bank for it; null until it has one. */
  readonly name: string | null;
  readonly plan: 'saver' | 'developer' | 'professional';
  readonly status: 'active' | 'trialing' | 'past_due' | 'canceled';
  readonly entitlements: {
    readonly api_access: boolean;
    readonly brokerage: boolean;
  };
  /** How many of each the plan allows; -1 means unlimited. */
  readonly limits: {
    readonly connections: number;
    readonly accounts: number;
    readonly syncs: number;
    readonly destinations: number;
  };
  /** IANA name of the zone. */
  readonly timezone: string;
  /** The current release. */
  readonly api_version: string;
  /** What the caller may do, in the order of the scope table; a `:write` brings its `:read`. */
  readonly scopes: readonly ('account:read' | 'connections:read' | 'connections:write' | 'data:read' | 'categories:read' | 'categories:write' | 'destinations:read' | 'destinations:write' | 'syncs:read' | 'syncs:write' | 'rules:read' | 'rules:write' | 'events:read' | 'events:write' | 'keys:write')[];
  /** The key in use; null for a caller without one. */
  readonly key: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly ('account:read' | 'connections:read' | 'connections:write' | 'data:read' | 'categories:read' | 'categories:write' | 'destinations:read' | 'destinations:write' | 'syncs:read' | 'syncs:write' | 'rules:read' | 'rules:write' | 'events:read' | 'events:write' | 'keys:write')[];
    readonly legacy: boolean;
  } | null;
  /** Of a person who is signed in: the e-mail address of the account record, and how many account records they are a member of. Null for keys and apps. */
  readonly session: {
    readonly account_email: string;
    readonly account_records: number;
  } | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface MeUpdateInput {
  /** One line of text; null or empty: no name. */
  readonly name?: string | null | undefined;
  /** IANA name of the zone in which days and months begin and end. */
  readonly timezone?: string | undefined;
}

/** Who the key belongs to, and what the plan allows. */
export class Me {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * The account record behind the key.
   *
   * Any valid key. Rate tier: `cheap`.
   */
  get(options?: CallOptions): Promise<AccountRecord> {
    return this.#calls.one(
      { id: 'get_me', method: 'GET', path: '/v2/me' },
      {},
      options,
    );
  }

  /**
   * Change the name or the zone of the account record.
   *
   * People to whom you send the `url` of a link session see the name, with the masked e-mail address of the account record.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  update(input: MeUpdateInput = {}, options?: CallOptions): Promise<AccountRecord> {
    return this.#calls.one(
      { id: 'update_me', method: 'POST', path: '/v2/me' },
      input,
      options,
    );
  }
}
