import { type Static, Type } from 'typebox';
import type { Release } from '../../../features/categories/categories.ts';
import type { Category } from '../../../features/categories/category-tree.ts';
import { publicId, publicIdPattern } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { PROVIDER_CATEGORIES } from '../../../vocabulary/provider-categories.ts';
import { missing } from '../../../vocabulary/service-error.ts';
import { IGNORED_LIMIT } from '../../paging.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { refusedAs } from '../schema/bounds.ts';
import {
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  moment,
  nullable,
  positionOf,
  resource,
  text,
  timestamp,
} from '../schema/conventions.ts';

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

export function presentCategory({ row, archived, categoryCount }: Category): Static<typeof categorySchema> {
  return {
    id: publicId('category', row.id),
    object: 'category',
    name: row.name,
    parent: row.parent === null ? null : publicId('category', row.parent),
    icon: row.icon,
    color: row.color,
    position: row.position,
    archived,
    sources: [...row.sources],
    category_count: categoryCount,
    metadata: row.metadata,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

export function presentClaimed(
  claimed: Category & { readonly released: readonly Release[] },
): Static<typeof claimedCategorySchema> {
  return {
    ...presentCategory(claimed),
    released_from: claimed.released.map(({ category, sources }) => ({
      category: publicId('category', category),
      sources: [...sources],
    })),
  };
}

export const groupExample: Static<typeof categorySchema> = {
  id: exampleId('category'),
  object: 'category',
  name: 'Food & Drink',
  parent: null,
  icon: '🍽',
  color: '#2f855a',
  position: 0,
  archived: false,
  sources: [],
  category_count: 1,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const categoryExample: Static<typeof categorySchema> = {
  ...groupExample,
  id: exampleId('category', 2),
  name: 'Coffee',
  parent: groupExample.id,
  icon: '☕',
  sources: ['FOOD_AND_DRINK_COFFEE'],
  category_count: 0,
  updated: EXAMPLE_UPDATED,
};

export const treeExample = {
  object: 'list',
  data: [groupExample, categoryExample],
  next_page_url: null,
  previous_page_url: null,
};

export const categoriesDocs: Readonly<Record<string, ResourceDocs>> = {
  category: {
    description:
      'A category or a group. A transaction resolves to the category that claims its subcategory code, else to the one that claims its primary code.',
    fields: {
      icon: 'An emoji, or any short text.',
      color: '#rrggbb',
      position: 'Position among its siblings, from 0 without gaps.',
      archived: 'Hidden from view, or in a group that is; rows still resolve to it.',
      sources: 'Provider category codes it claims; each code is claimed once.',
      category_count: 'Categories in a group.',
    },
    example: categoryExample,
  },
};
