import type { Static } from 'typebox';
import type { providerCategorySchema } from '../../../src/operations/schemas/provider-categories.ts';

export type ProviderCategory = Static<typeof providerCategorySchema>;
