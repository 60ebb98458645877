import type { Static } from 'typebox';
import type { ProviderCategory } from '../../vocabulary/provider-categories.ts';
import type { providerCategorySchema } from '../schemas/provider-categories.ts';

export function presentProviderCategory(category: ProviderCategory): Static<typeof providerCategorySchema> {
  const { code, label, parent } = category;
  return { object: 'provider_category', code, label, parent, livemode: true };
}
