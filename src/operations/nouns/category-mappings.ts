import type { Static } from 'typebox';
import type { categoryMappingSchema } from '../schemas/category-mappings.ts';
import type { OperationWords, ResourceWords } from './noun.ts';

const mapping: Static<typeof categoryMappingSchema> = {
  object: 'category_mapping',
  provider_category: 'FOOD_AND_DRINK_COFFEE',
  destination_category: 'EXAMPLE-budget-category',
  destination_category_name: 'Eating out',
};

export const categoryMappingWords: ResourceWords = {
  description: 'Which category of the budgeting app takes rows of a provider category.',
  fields: { destination_category: "The app's own id." },
  example: mapping,
};

export const categoryMappingOperationWords: Readonly<Record<string, OperationWords>> = {
  set_category_mappings: {
    description: 'Replaces the whole set: omitted mappings are removed.',
    body: {
      mappings: [
        {
          provider_category: 'FOOD_AND_DRINK_COFFEE',
          destination_category: 'EXAMPLE-budget-category',
          destination_category_name: 'Eating out',
        },
      ],
    },
  },
};
