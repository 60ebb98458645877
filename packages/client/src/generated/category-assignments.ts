// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** The category that a person gave to one transaction, whatever its code leads to. */
export type CategoryAssignment = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'category_assignment';
  /** Id of the account, acct_…. */
  readonly account: string;
  /** Its id. The transaction itself is not stored. */
  readonly transaction: string;
  readonly category: string;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
};

/** What transactions were given, and what they had been given before. */
export type CategoryChange = {
  /** Which kind of object this is. */
  readonly object: 'category_change';
  /** Id of the account, acct_…. */
  readonly account: string;
  /** null if what was given was taken back. */
  readonly category: string | null;
  /** Each with the category it had been given before; null if the claims of codes decided. */
  readonly transactions: readonly {
    readonly transaction: string;
    readonly previous: string | null;
  }[];
  /** Always true today. */
  readonly livemode: true;
};

export interface CategoryAssignmentsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface CategoryAssignmentsAssignCategoryInput {
  /** The account, acct_…. */
  readonly account: string;
  /** Ids of transactions of the account. The bank is not asked whether they exist. */
  readonly transactions: readonly string[];
  /** A category; null takes back what was given, so that the claims of codes decide again. */
  readonly category: string | null;
}

/** Categories of single transactions, whatever their codes lead to. */
export class CategoryAssignments {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List transactions with a category of their own.
   *
   * Needs `categories:read`. Rate tier: `cheap`.
   */
  list(input: CategoryAssignmentsListInput = {}, options?: CallOptions): List<CategoryAssignment> {
    return this.#calls.list(
      { id: 'list_category_assignments', method: 'GET', path: '/v2/category_assignments', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Give single transactions a category of their own.
   *
   * Other transactions with the same code keep theirs. A pending transaction has another id once it has posted, and then resolves by its code again.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  assignCategory(input: CategoryAssignmentsAssignCategoryInput, options?: CallOptions): Promise<CategoryChange> {
    return this.#calls.one(
      { id: 'assign_category', method: 'POST', path: '/v2/category_assignments' },
      input,
      options,
    );
  }
}
