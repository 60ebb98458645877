import { Type } from 'typebox';
import { livemode, nullable, resource } from './conventions.ts';

/** docs/resources.md#provider-category. `parent`: code of the primary category, null for a primary. */
export const providerCategorySchema = resource('provider_category', {
  object: Type.Literal('provider_category'),
  code: Type.String(),
  label: Type.String(),
  parent: nullable(Type.String()),
  livemode,
});
