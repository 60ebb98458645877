import { type Static, Type } from 'typebox';
import { PROVIDER_CATEGORIES, type ProviderCategory } from '../../vocabulary/provider-categories.ts';
import { type Operation, operation } from '../operation.ts';
import { IGNORED_LIMIT, listOf, wholeList } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { livemode, nullable, resource } from './schema/conventions.ts';

/** docs/resources.md#provider-category. `parent`: code of the primary category, null for a primary. */
export const providerCategorySchema = resource('provider_category', {
  object: Type.Literal('provider_category'),
  code: Type.String(),
  label: Type.String(),
  parent: nullable(Type.String()),
  livemode,
});

export function presentProviderCategory(category: ProviderCategory): Static<typeof providerCategorySchema> {
  const { code, label, parent } = category;
  return { object: 'provider_category', code, label, parent, livemode: true };
}

const categoryExample: Static<typeof providerCategorySchema> = {
  object: 'provider_category',
  code: 'FOOD_AND_DRINK_COFFEE',
  label: 'Coffee',
  parent: 'FOOD_AND_DRINK',
  livemode: true,
};

export const providerCategoriesDocs: Readonly<Record<string, ResourceDocs>> = {
  provider_category: {
    description: 'A primary code, or one of its subcategories.',
    fields: { parent: 'Code of the primary; null for a primary.' },
    example: categoryExample,
  },
};

export const providerCategoryOperations: readonly Operation[] = [
  operation({
    id: 'list_provider_categories',
    summary: 'List every provider category code, in one answer',
    docs: { description: 'Every code in one answer; `limit` is ignored.' },
    method: 'GET',
    path: '/v2/provider_categories',
    scope: 'data:read',
    tier: 'cheap',
    // Not paginated, and limit is ignored (docs/api-conventions.md#lists-and-paging).
    query: Type.Object({ limit: IGNORED_LIMIT }),
    response: listOf(providerCategorySchema),
    handle: async () => wholeList(PROVIDER_CATEGORIES.map(presentProviderCategory)),
  }),
];
