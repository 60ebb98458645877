// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A bank. `available` with status OUTAGE is normal during an outage: a session is created, and consent may not complete until the bank recovers. */
export type Institution = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'institution';
  /** Which provider serves it. */
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files';
  /** For people. */
  readonly name: string;
  readonly short_name: string;
  /** Address of a picture: the logo of the provider, or one with the initials that the service makes. */
  readonly logo: string;
  /** Whether the service offers the bank for linking at all. */
  readonly available: boolean;
  /** What the provider reports now; null when unknown. */
  readonly status: 'ONLINE' | 'OUTAGE' | null;
};

export interface InstitutionsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only those of this provider. */
  readonly provider?: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank' | 'simplefin' | 'enable_banking' | 'statement_files' | undefined;
  /** Text found anywhere in the name, whatever its case. */
  readonly q?: string | undefined;
}

/** Banks that can be linked, with their availability now. */
export class Institutions {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List banks that can be linked, with their availability now, by name.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  list(input: InstitutionsListInput = {}, options?: CallOptions): List<Institution> {
    return this.#calls.list(
      { id: 'list_institutions', method: 'GET', path: '/v2/institutions', query: ['limit', 'page', 'provider', 'q'] },
      input,
      options,
    );
  }
}
