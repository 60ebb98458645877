// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A category or a group. A transaction resolves to the category that claims its subcategory code, else to the one that claims its primary code. */
export type Category = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'category';
  /** For people. */
  readonly name: string;
  readonly parent: string | null;
  /** An emoji, or any short text. */
  readonly icon: string;
  /** #rrggbb */
  readonly color: string;
  /** Position among its siblings, from 0 without gaps. */
  readonly position: number;
  /** Hidden from view, or in a group that is; rows still resolve to it. */
  readonly archived: boolean;
  /** Provider category codes it claims; each code is claimed once. */
  readonly sources: readonly string[];
  /** Categories in a group. */
  readonly category_count: number;
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedCategory = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'category';
  readonly deleted: true;
};

export interface CategoriesListInput {
  /** none: the groups; cat_…: what is in that group. */
  readonly parent?: string | undefined;
  /** Without it, archived ones and the others. */
  readonly archived?: boolean | undefined;
  /** Ignored: the list has no pages. */
  readonly limit?: string | undefined;
}

export interface CategoriesCreateInput {
  /** For people. */
  readonly name: string;
  readonly parent?: string | null | undefined;
  readonly icon?: string | undefined;
  /** #rrggbb */
  readonly color?: string | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface CategoriesResetInput {
  /** Must be true. */
  readonly confirm: true;
}

export interface CategoriesGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface CategoriesUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | undefined;
  readonly parent?: string | null | undefined;
  readonly icon?: string | undefined;
  /** #rrggbb */
  readonly color?: string | undefined;
  /** From 0; a position beyond the end means the end. */
  readonly position?: number | undefined;
  readonly archived?: boolean | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

export interface CategoriesDeleteInput {
  /** Id of the object. */
  readonly id: string;
  /** Deletes a group together with what is in it. */
  readonly cascade?: boolean | undefined;
  /** The category, cat_…, that takes over the sources. */
  readonly reassign_to?: string | undefined;
}

export interface CategoriesClaimSourcesInput {
  /** Id of the object. */
  readonly id: string;
  readonly sources: readonly string[];
}

/** Your own categories: groups, and categories in them that claim the codes of providers. */
export class Categories {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List the categories, each group followed by what is in it, in one answer.
   *
   * The whole tree in one answer, each group followed by what is in it, archived ones too; `limit` is ignored.
   *
   * Needs `categories:read`. Rate tier: `cheap`.
   */
  list(input: CategoriesListInput = {}, options?: CallOptions): List<Category> {
    return this.#calls.list(
      { id: 'list_categories', method: 'GET', path: '/v2/categories', query: ['parent', 'archived', 'limit'] },
      input,
      options,
    );
  }

  /**
   * Create a category, or without parent a group.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  create(input: CategoriesCreateInput, options?: CallOptions): Promise<Category> {
    return this.#calls.one(
      { id: 'create_category', method: 'POST', path: '/v2/categories' },
      input,
      options,
    );
  }

  /**
   * Delete every category and put the default ones in their place.
   *
   * Your own categories are deleted; the default ones get new ids.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  reset(input: CategoriesResetInput, options?: CallOptions): List<Category> {
    return this.#calls.list(
      { id: 'reset_categories', method: 'POST', path: '/v2/categories/reset' },
      input,
      options,
    );
  }

  /**
   * Read a category.
   *
   * Needs `categories:read`. Rate tier: `cheap`.
   */
  get(input: CategoriesGetInput, options?: CallOptions): Promise<Category> {
    return this.#calls.one(
      { id: 'get_category', method: 'GET', path: '/v2/categories/:id' },
      input,
      options,
    );
  }

  /**
   * Change, move, archive or restore a category.
   *
   * Omitted fields are unchanged. A metadata key set to null is removed.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  update(input: CategoriesUpdateInput, options?: CallOptions): Promise<Category> {
    return this.#calls.one(
      { id: 'update_category', method: 'POST', path: '/v2/categories/:id' },
      input,
      options,
    );
  }

  /**
   * Delete a category, or with cascade=true a group and what is in it.
   *
   * `cascade=true` for a group that is not empty; `reassign_to` names the category that takes over its sources.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  delete(input: CategoriesDeleteInput, options?: CallOptions): Promise<DeletedCategory> {
    return this.#calls.one(
      { id: 'delete_category', method: 'DELETE', path: '/v2/categories/:id', query: ['cascade', 'reassign_to'] },
      input,
      options,
    );
  }

  /**
   * Replace the provider category codes that a category claims.
   *
   * A code claimed by another category moves here; `released_from` says from where.
   *
   * Needs `categories:write`. Rate tier: `mutating`.
   */
  claimSources(input: CategoriesClaimSourcesInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly object: 'category';
    readonly name: string;
    readonly parent: string | null;
    readonly icon: string;
    readonly color: string;
    readonly position: number;
    readonly archived: boolean;
    readonly sources: readonly string[];
    readonly category_count: number;
    readonly metadata: Readonly<Record<string, string>> | null;
    readonly livemode: true;
    readonly created: string;
    readonly updated: string;
    readonly released_from: readonly {
      readonly category: string;
      readonly sources: readonly string[];
    }[];
  }> {
    return this.#calls.one(
      { id: 'claim_category_sources', method: 'POST', path: '/v2/categories/:id/sources' },
      input,
      options,
    );
  }
}
