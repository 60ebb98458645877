import type { Static } from 'typebox';
import type { Release } from '../../features/categories/categories.ts';
import type { Category } from '../../features/categories/category-tree.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { categorySchema, claimedCategorySchema } from '../schemas/categories.ts';
import { moment } from './moments.ts';

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
