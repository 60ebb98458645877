import { Type } from 'typebox';
import { PROVIDER_CATEGORIES } from '../../vocabulary/provider-categories.ts';
import { nullable, resource, text } from './conventions.ts';

/** Which category of the destination takes rows of a provider category. */
export const categoryMappingSchema = resource('category_mapping', {
  object: Type.Literal('category_mapping'),
  provider_category: Type.String(),
  destination_category: Type.String(),
  destination_category_name: nullable(Type.String()),
});

const entry = Type.Object(
  {
    provider_category: text(100),
    destination_category: nullable(text(300)),
    destination_category_name: Type.Optional(nullable(text(300))),
  },
  { additionalProperties: false },
);

export const categoryMappingsBody = Type.Object({
  mappings: Type.Array(entry, { maxItems: PROVIDER_CATEGORIES.length }),
});
