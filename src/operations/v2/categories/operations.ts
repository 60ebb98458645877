import type { Category } from '../../../features/categories/category-tree.ts';
import { slicedJson } from '../../answer-once.ts';
import { type Operation, operation } from '../../operation.ts';
import { JsonText } from '../../operation-request.ts';
import { listOf, wholeList } from '../../paging.ts';
import { EXAMPLE_CREATED, exampleId } from '../docs/examples.ts';
import { deletedAnswer, deletedSchema, fieldId, idParams, pathId } from '../schema/conventions.ts';
import {
  categoryExample,
  categorySchema,
  claimedCategorySchema,
  claimSourcesBody,
  createCategoryBody,
  deleteCategoryQuery,
  groupExample,
  listCategoriesQuery,
  presentCategory,
  presentClaimed,
  resetCategoriesBody,
  treeExample,
  updateCategoryBody,
} from './resource.ts';

const path = '/v2/categories';
const read = 'categories:read';
const write = 'categories:write';

export const categoryOperations: readonly Operation[] = [
  operation({
    id: 'list_categories',
    summary: 'List the categories, each group followed by what is in it, in one answer',
    docs: {
      description:
        'The whole tree in one answer, each group followed by what is in it, archived ones too; `limit` is ignored.',
      answer: treeExample,
    },
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: listCategoriesQuery,
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
    docs: {
      body: { name: 'Coffee', parent: groupExample.id, icon: '☕', color: '#2f855a' },
      answer: { ...categoryExample, sources: [], updated: EXAMPLE_CREATED },
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
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
    docs: {
      description: 'Your own categories are deleted; the default ones get new ids.',
      sent: { confirm: 'Must be true.' },
      body: { confirm: true },
      answer: treeExample,
    },
    method: 'POST',
    path: `${path}/reset`,
    scope: write,
    tier: 'mutating',
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
    response: categorySchema,
    errors: ['resource_missing', 'categories_seed_failed'],
    handle: async ({ params, caller, services }) =>
      presentCategory(await services.categories.read(caller.accountRecord.id, pathId('category', params.id))),
  }),
  operation({
    id: 'update_category',
    summary: 'Change, move, archive or restore a category',
    docs: {
      description: 'Omitted fields are unchanged. A metadata key set to null is removed.',
      body: { name: 'Coffee and tea', position: 0 },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('category'),
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
    docs: {
      description:
        '`cascade=true` for a group that is not empty; `reassign_to` names the category that takes over its sources.',
    },
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'category.deleted',
    params: idParams('category'),
    query: deleteCategoryQuery,
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
    docs: {
      description: 'A code claimed by another category moves here; `released_from` says from where.',
      body: { sources: ['FOOD_AND_DRINK_COFFEE'] },
      answer: {
        ...categoryExample,
        released_from: [{ category: exampleId('category', 3), sources: ['FOOD_AND_DRINK_COFFEE'] }],
      },
    },
    method: 'POST',
    path: `${path}/:id/sources`,
    scope: write,
    tier: 'mutating',
    params: idParams('category'),
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
  return wholeList(categories.map(presentCategory));
}
