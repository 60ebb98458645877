import { Type } from 'typebox';
import { publicIdPattern } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PROVIDER_CATEGORIES } from '../../vocabulary/provider-categories.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { IGNORED_LIMIT } from '../paging.ts';
import { refusedAs } from './bounds.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  positionOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';

const COLOR = '^#[0-9a-fA-F]{6}$';

const fields = {
  id: idOf('category'),
  object: Type.Literal('category'),
  name: Type.String(),
  parent: nullable(idOf('category', 'The group; null for a group.')),
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
        { category: idOf('category'), sources: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const name = text(FIXED_LIMITS.name_characters);
const icon = text(FIXED_LIMITS.icon_characters);
const color = Type.String({ pattern: COLOR, description: '#rrggbb' });
const parent = nullable(idOf('category'));

export const createCategoryBody = Type.Object({
  name,
  parent: Type.Optional(parent),
  icon: Type.Optional(icon),
  color: Type.Optional(color),
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateCategoryBody = Type.Object({
  name: Type.Optional(name),
  parent: Type.Optional(parent),
  icon: Type.Optional(icon),
  color: Type.Optional(color),
  position: Type.Optional(positionOf('From 0; a position beyond the end means the end.')),
  archived: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(metadataPatch),
});

export const listCategoriesQuery = Type.Object({
  parent: Type.Optional(
    Type.String({
      pattern: `^none$|${publicIdPattern('category')}`,
      description: 'none: the groups; cat_…: what is in that group.',
      ...refusedAs('resource_missing', missing('category').message),
    }),
  ),
  archived: Type.Optional(Type.Boolean({ description: 'Without it, archived ones and the others.' })),
  limit: IGNORED_LIMIT,
});

export const deleteCategoryQuery = Type.Object({
  cascade: Type.Optional(
    Type.Boolean({ default: false, description: 'Deletes a group together with what is in it.' }),
  ),
  reassign_to: Type.Optional(idOf('category', 'The category, cat_…, that takes over the sources.')),
});

export const claimSourcesBody = Type.Object({
  sources: Type.Array(Type.String({ maxLength: 100 }), { maxItems: PROVIDER_CATEGORIES.length }),
});

export const resetCategoriesBody = Type.Object({ confirm: Type.Literal(true) });
