// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** A primary code, or one of its subcategories. */
export type ProviderCategory = {
  /** Which kind of object this is. */
  readonly object: 'provider_category';
  readonly code: string;
  readonly label: string;
  /** Code of the primary; null for a primary. */
  readonly parent: string | null;
  /** Always true today. */
  readonly livemode: true;
};

export interface ProviderCategoriesListInput {
  /** Ignored: the list has no pages. */
  readonly limit?: string | undefined;
}

/** The codes banks and their enrichment give transactions. */
export class ProviderCategories {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List every provider category code, in one answer.
   *
   * Every code in one answer; `limit` is ignored.
   *
   * Needs `data:read`. Rate tier: `cheap`.
   */
  list(input: ProviderCategoriesListInput = {}, options?: CallOptions): List<ProviderCategory> {
    return this.#calls.list(
      { id: 'list_provider_categories', method: 'GET', path: '/v2/provider_categories', query: ['limit'] },
      input,
      options,
    );
  }
}
