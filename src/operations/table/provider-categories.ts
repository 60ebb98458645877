import { Type } from 'typebox';
import { PROVIDER_CATEGORIES } from '../../vocabulary/provider-categories.ts';
import { none, type Operation, operation } from '../operation.ts';
import { IGNORED_LIMIT, listOf } from '../paging.ts';
import { presentProviderCategory } from '../presenters/provider-categories.ts';
import { providerCategorySchema } from '../schemas/provider-categories.ts';

export const providerCategoryOperations: readonly Operation[] = [
  operation({
    id: 'list_provider_categories',
    summary: 'List every provider category code, in one answer',
    method: 'GET',
    path: '/v2/provider_categories',
    scope: 'data:read',
    tier: 'cheap',
    params: none,
    // Not paginated, and limit is ignored (docs/api-conventions.md#lists-and-paging).
    query: Type.Object({ limit: IGNORED_LIMIT }),
    body: none,
    response: listOf(providerCategorySchema),
    handle: async () => ({
      object: 'list' as const,
      data: PROVIDER_CATEGORIES.map(presentProviderCategory),
      next_page_url: null,
      previous_page_url: null,
    }),
  }),
];
