import type { CategoryMapping } from '../../vocabulary/category-mappings.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf } from '../paging.ts';
import { categoryMappingSchema, categoryMappingsBody } from '../schemas/category-mappings.ts';
import { TRYING_ERRORS } from './destinations.ts';

const path = '/v2/syncs/:id/category_mappings';

export const categoryMappingOperations: readonly Operation[] = [
  operation({
    id: 'list_category_mappings',
    summary: 'List the category mappings of a budgeting-app sync, in one answer',
    method: 'GET',
    path,
    scope: 'syncs:read',
    tier: 'cheap',
    params: idParams('sync'),
    query: none,
    body: none,
    response: listOf(categoryMappingSchema),
    errors: ['resource_missing', 'not_supported', 'sync_has_no_destination'],
    handle: async ({ params, caller, services }) =>
      present(await services.categoryMappings.read(caller.accountRecord.id, pathId('sync', params.id))),
  }),
  operation({
    id: 'set_category_mappings',
    summary: 'Replace the category mappings of a budgeting-app sync; null unmaps',
    method: 'POST',
    path,
    scope: 'syncs:write',
    tier: 'mutating',
    params: idParams('sync'),
    query: none,
    body: categoryMappingsBody,
    response: listOf(categoryMappingSchema),
    errors: ['resource_missing', 'sync_has_no_destination', ...TRYING_ERRORS],
    handle: async ({ params, body, caller, services, signal }) => {
      const entries = body.mappings.map(({ destination_category_name = null, ...entry }) => ({
        ...entry,
        destination_category_name,
      }));
      const id = pathId('sync', params.id);
      return present(await services.categoryMappings.replace(caller.accountRecord.id, id, entries, signal));
    },
  }),
];

/** The whole set, in the order it was sent. */
function present(mappings: readonly CategoryMapping[]) {
  return {
    object: 'list' as const,
    data: mappings.map((mapping) => ({ object: 'category_mapping' as const, ...mapping })),
    next_page_url: null,
    previous_page_url: null,
  };
}
