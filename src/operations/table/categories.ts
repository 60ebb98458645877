import type { Category } from '../../features/categories/category-tree.ts';
import { fieldId, idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { JsonText } from '../operation-request.ts';
import { listOf } from '../paging.ts';
import { presentCategory, presentClaimed } from '../presenters/categories.ts';
import {
  categorySchema,
  claimedCategorySchema,
  claimSourcesBody,
  createCategoryBody,
  deleteCategoryQuery,
  listCategoriesQuery,
  resetCategoriesBody,
  updateCategoryBody,
} from '../schemas/categories.ts';
import { deletedAnswer, deletedSchema } from '../schemas/conventions.ts';
import { slicedJson } from '../sliced-json.ts';

const path = '/v2/categories';
const read = 'categories:read';
const write = 'categories:write';

export const categoryOperations: readonly Operation[] = [
  operation({
    id: 'list_categories',
    summary: 'List the categories, each group followed by what is in it, in one answer',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    params: none,
    query: listCategoriesQuery,
    body: none,
    response: listOf(categorySchema),
    errors: ['resource_missing', 'categories_seed_failed'],
    handle: async ({ query, caller, services }) => {
      const { parent, archived } = query;
      const owner = caller.accountRecord.id;
      const filter = {
        ...(parent === undefined ? {} : { parent: parentOf(parent === 'none' ? null : parent) }),
        ...(archived === undefined ? {} : { archived }),
      };
      const version = await services.categories.version(owner);
      const text = await services.categoryTexts.text(owner, version, JSON.stringify(filter), async () =>
        slicedJson(listed(await services.categories.list(owner, filter))),
      );
      return new JsonText(text);
    },
  }),
  operation({
    id: 'create_category',
    summary: 'Create a category, or without parent a group',
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    params: none,
    query: none,
    body: createCategoryBody,
    response: categorySchema,
    errors: ['resource_missing', 'category_create_failed', 'categories_seed_failed'],
    handle: async ({ body, caller, services }) => {
      const { parent = null, metadata = null, ...rest } = body;
      const input = { ...rest, parent: parentOf(parent), metadata };
      return presentCategory(await services.categories.create(caller.accountRecord.id, input));
    },
  }),
  operation({
    id: 'reset_categories',
    summary: 'Delete every category and put the default ones in their place',
    method: 'POST',
    path: `${path}/reset`,
    scope: write,
    tier: 'mutating',
    params: none,
    query: none,
    body: resetCategoriesBody,
    response: listOf(categorySchema),
    errors: ['categories_seed_failed'],
    handle: async ({ caller, services }) => listed(await services.categories.reset(caller.accountRecord.id)),
  }),
  operation({
    id: 'get_category',
    summary: 'Read a category',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('category'),
    query: none,
    body: none,
    response: categorySchema,
    errors: ['resource_missing', 'categories_seed_failed'],
    handle: async ({ params, caller, services }) =>
      presentCategory(await services.categories.read(caller.accountRecord.id, pathId('category', params.id))),
  }),
  operation({
    id: 'update_category',
    summary: 'Change, move, archive or restore a category',
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('category'),
    query: none,
    body: updateCategoryBody,
    response: categorySchema,
    errors: ['resource_missing', 'category_is_group', 'categories_seed_failed'],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('category', params.id);
      const { parent, ...rest } = body;
      const patch = parent === undefined ? rest : { ...rest, parent: parentOf(parent) };
      return presentCategory(await services.categories.update(caller.accountRecord.id, id, patch));
    },
  }),
  operation({
    id: 'delete_category',
    summary: 'Delete a category, or with cascade=true a group and what is in it',
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'category.deleted',
    params: idParams('category'),
    query: deleteCategoryQuery,
    body: none,
    response: deletedSchema('category', 'category'),
    errors: ['resource_missing', 'category_has_children', 'category_is_group', 'categories_seed_failed'],
    handle: async ({ params, query, caller, services }) => {
      const id = pathId('category', params.id);
      const { cascade = false, reassign_to } = query;
      const reassignTarget =
        reassign_to === undefined ? null : fieldId('category', reassign_to, 'reassign_to');
      await services.categories.delete(caller.accountRecord.id, id, { cascade, reassignTarget });
      return deletedAnswer(params.id, 'category');
    },
  }),
  operation({
    id: 'claim_category_sources',
    summary: 'Replace the provider category codes that a category claims',
    method: 'POST',
    path: `${path}/:id/sources`,
    scope: write,
    tier: 'mutating',
    params: idParams('category'),
    query: none,
    body: claimSourcesBody,
    response: claimedCategorySchema,
    errors: ['resource_missing', 'category_is_group', 'categories_seed_failed'],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('category', params.id);
      return presentClaimed(await services.categories.claim(caller.accountRecord.id, id, body.sources));
    },
  }),
];

function parentOf(text: string | null) {
  return text === null ? null : fieldId('category', text, 'parent');
}

function listed(categories: readonly Category[]) {
  return {
    object: 'list' as const,
    data: categories.map(presentCategory),
    next_page_url: null,
    previous_page_url: null,
  };
}
