import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PROVIDER_CATEGORIES } from '../../vocabulary/provider-categories.ts';
import {
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  resource,
  text,
  timestamp,
} from './conventions.ts';

const COLOR = '^#[0-9a-fA-F]{6}$';

const fields = {
  id: Type.String(),
  object: Type.Literal('category'),
  name: Type.String(),
  parent: nullable(Type.String({ description: 'The group; null for a group.' })),
  icon: Type.String(),
  color: Type.String({ pattern: COLOR }),
  position: Type.Integer({ minimum: 0 }),
  archived: Type.Boolean(),
  sources: Type.Array(Type.String()),
  category_count: Type.Integer({ minimum: 0 }),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
};

/** docs/resources.md#category. */
export const categorySchema = resource('category', fields);

/** The answer of a claim: the category, and what other categories lost by it. */
export const claimedCategorySchema = Type.Object(
  {
    ...fields,
    released_from: Type.Array(
      Type.Object(
        { category: Type.String(), sources: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const name = text(FIXED_LIMITS.name_characters);
const icon = text(FIXED_LIMITS.icon_characters);
const color = Type.String({ pattern: COLOR, description: '#rrggbb' });
const id = Type.String({ maxLength: 300 });

export const createCategoryBody = Type.Object({
  name,
  parent: Type.Optional(nullable(id)),
  icon: Type.Optional(icon),
  color: Type.Optional(color),
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateCategoryBody = Type.Object({
  name: Type.Optional(name),
  parent: Type.Optional(nullable(id)),
  icon: Type.Optional(icon),
  color: Type.Optional(color),
  position: Type.Optional(
    Type.Integer({ minimum: 0, description: 'From 0; a position beyond the end means the end.' }),
  ),
  archived: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(metadataPatch),
});

export const listCategoriesQuery = Type.Object({
  parent: Type.Optional(
    Type.String({ maxLength: 300, description: 'none: the groups; cat_…: what is in that group.' }),
  ),
  archived: Type.Optional(Type.Boolean({ description: 'Without it, archived ones and the others.' })),
  // The whole tree comes in one answer, whatever a generic client asks for.
  limit: Type.Optional(Type.String()),
});

export const deleteCategoryQuery = Type.Object({
  cascade: Type.Optional(Type.Boolean({ description: 'Deletes a group together with what is in it.' })),
  reassign_to: Type.Optional(
    Type.String({ maxLength: 300, description: 'The category, cat_…, that takes over the sources.' }),
  ),
});

export const claimSourcesBody = Type.Object({
  sources: Type.Array(Type.String({ maxLength: 100 }), { maxItems: PROVIDER_CATEGORIES.length }),
});

export const resetCategoriesBody = Type.Object({ confirm: Type.Literal(true) });
