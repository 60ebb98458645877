import type { Static } from 'typebox';
import type { providerCategorySchema } from '../schemas/provider-categories.ts';
import type { Noun } from './noun.ts';

const category: Static<typeof providerCategorySchema> = {
  object: 'provider_category',
  code: 'FOOD_AND_DRINK_COFFEE',
  label: 'Coffee',
  parent: 'FOOD_AND_DRINK',
  livemode: true,
};

export const providerCategoriesNoun: Noun = {
  tag: 'provider_categories',
  description: 'The codes banks and their enrichment give transactions.',
  resources: {
    provider_category: {
      description: 'A primary code, or one of its subcategories.',
      fields: { parent: 'Code of the primary; null for a primary.' },
      example: category,
    },
  },
  operations: {
    list_provider_categories: { description: 'Every code in one answer; `limit` is ignored.' },
  },
};
