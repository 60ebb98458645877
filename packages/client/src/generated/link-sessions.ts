// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';

/** One person's authorisation at a bank's consent. It lives 30 minutes. */
export type LinkSession = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'link_session';
  /** Which provider serves it. */
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files';
  /** An id of the institutions list; only for au_banking and enable_banking. */
  readonly institution: string | null;
  /** For the other providers, the bank at which the vendor's page begins, if one was chosen before. */
  readonly chosen_institution: string | null;
  readonly status: 'pending' | 'completed' | 'failed' | 'expired';
  /** The hosted page to send the person to. */
  readonly url: string;
  /** Set once completed. */
  readonly connection: string | null;
  /** Where the person is sent afterwards, with link_session=completed, or link_session=failed and reason in the query. */
  readonly return_url: string;
  /** Why it failed, once it has. */
  readonly failure_reason: string | null;
  /** When the session can no longer be completed. */
  readonly expires_at: string | null;
  /** When it was done. */
  readonly completed_at: string | null;
  /** Your own pairs; each connection that the session makes begins with them. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export interface LinkSessionsCreateInput {
  /** au_banking, nz_banking, brokerage, up_bank, simplefin or enable_banking. */
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files';
  /** An id of the institutions list. */
  readonly institution?: string | null | undefined;
  /** An id of the institutions list, for providers that do not take institution: the bank that the person has chosen. */
  readonly chosen_institution?: string | null | undefined;
  /** Where the person is sent afterwards. */
  readonly return_url: string;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface LinkSessionsGetInput {
  /** Id of the object. */
  readonly id: string;
}

/** Linking a bank: create a session, send the person to its url, read it until it leaves pending. */
export class LinkSessions {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Start linking a bank; send the person to the url of the answer.
   *
   * `institution` is required for `au_banking` and `enable_banking` and refused elsewhere, where the person chooses on the vendor's page. It begins at `chosen_institution`, if that is sent; if they link another bank, the connection has it in `chosen_institution`. Needs an active trial or subscription and a free connection slot.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  create(input: LinkSessionsCreateInput, options?: CallOptions): Promise<LinkSession> {
    return this.#calls.one(
      { id: 'create_link_session', method: 'POST', path: '/v2/link_sessions' },
      input,
      options,
    );
  }

  /**
   * Read a link session; poll it until it leaves pending.
   *
   * Needs `connections:write`. Rate tier: `cheap`.
   */
  get(input: LinkSessionsGetInput, options?: CallOptions): Promise<LinkSession> {
    return this.#calls.one(
      { id: 'get_link_session', method: 'GET', path: '/v2/link_sessions/:id' },
      input,
      options,
    );
  }
}
