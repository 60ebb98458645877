import type { Static } from 'typebox';
import type {
  categorySchema,
  claimedCategorySchema,
  createCategoryBody,
  updateCategoryBody,
} from '../../../src/operations/v2/categories/resource.ts';

export type Category = Static<typeof categorySchema>;
export type ClaimedCategory = Static<typeof claimedCategorySchema>;
export type NewCategory = Static<typeof createCategoryBody>;
export type CategoryPatch = Static<typeof updateCategoryBody>;
