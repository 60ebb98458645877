import type { Static } from 'typebox';
import type { providerCategorySchema } from '../../../src/operations/v2/provider-categories.ts';

export type ProviderCategory = Static<typeof providerCategorySchema>;
