// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A token that one program claims once, within 7 days. */
export type SimplefinSetupToken = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'simplefin_setup_token';
  /** What the program that claims it is called. */
  readonly name: string;
  /** Whether that program is sent amounts rounded to two decimals, until the app is changed. */
  readonly two_decimals: boolean;
  /** Whether that program is sent no `extra` of accounts and transactions, until the app is changed. */
  readonly leave_out_extra: boolean;
  /** The text to paste; only in the answer that creates the token. */
  readonly setup_token: string | null;
  readonly status: 'open' | 'claimed' | 'expired' | 'revoked';
  readonly expires_at: string;
  readonly claimed_at: string | null;
  /** The app that claimed it. */
  readonly app: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedSimplefinSetupToken = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'simplefin_setup_token';
  readonly deleted: true;
};

export interface SimplefinSetupTokensListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface SimplefinSetupTokensCreateInput {
  /** What to call the program. */
  readonly name: string;
  /** true for programs that take the last two digits of an amount for cents, such as Actual Budget. Without it, amounts are exact, with at least two decimals. */
  readonly two_decimals?: boolean | undefined;
  /** true for programs that are to be sent no `extra` of accounts and transactions, which holds ids and categories. */
  readonly leave_out_extra?: boolean | undefined;
}

export interface SimplefinSetupTokensGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SimplefinSetupTokensRevokeInput {
  /** Id of the object. */
  readonly id: string;
}

/** What a person pastes into a program to connect it over the SimpleFIN-compatible bridge. */
export class SimplefinSetupTokens {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List SimpleFIN setup tokens.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  list(input: SimplefinSetupTokensListInput = {}, options?: CallOptions): List<SimplefinSetupToken> {
    return this.#calls.list(
      { id: 'list_simplefin_setup_tokens', method: 'GET', path: '/v2/simplefin_setup_tokens', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Create a SimpleFIN setup token; it is shown once.
   *
   * Paste the text of `setup_token` into the program; it cannot be shown again. The calling key must hold data:read as well, and must be restricted neither by allowed_ips nor by expires_at.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  create(input: SimplefinSetupTokensCreateInput, options?: CallOptions): Promise<SimplefinSetupToken> {
    return this.#calls.one(
      { id: 'create_simplefin_setup_token', method: 'POST', path: '/v2/simplefin_setup_tokens' },
      input,
      options,
    );
  }

  /**
   * Read a SimpleFIN setup token.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  get(input: SimplefinSetupTokensGetInput, options?: CallOptions): Promise<SimplefinSetupToken> {
    return this.#calls.one(
      { id: 'get_simplefin_setup_token', method: 'GET', path: '/v2/simplefin_setup_tokens/:id' },
      input,
      options,
    );
  }

  /**
   * Revoke a SimpleFIN setup token, and the app that has claimed it.
   *
   * It can no longer be claimed. An app that has claimed it is revoked as well.
   *
   * Needs `keys:write`. Rate tier: `mutating`.
   */
  revoke(input: SimplefinSetupTokensRevokeInput, options?: CallOptions): Promise<DeletedSimplefinSetupToken> {
    return this.#calls.one(
      { id: 'revoke_simplefin_setup_token', method: 'DELETE', path: '/v2/simplefin_setup_tokens/:id' },
      input,
      options,
    );
  }
}
