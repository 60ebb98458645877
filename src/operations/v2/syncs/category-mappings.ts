import { type Static, Type } from 'typebox';
import { PROVIDER_CATEGORIES } from '../../../vocabulary/provider-categories.ts';
import type { CategoryMapping } from '../../../vocabulary/syncs.ts';
import { type Operation, operation } from '../../operation.ts';
import { listOf, wholeList } from '../../paging.ts';
import { TRYING_ERRORS } from '../destinations/operations.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { idParams, nullable, pathId, resource, text } from '../schema/conventions.ts';

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

const mappingExample: Static<typeof categoryMappingSchema> = {
  object: 'category_mapping',
  provider_category: 'FOOD_AND_DRINK_COFFEE',
  destination_category: 'EXAMPLE-budget-category',
  destination_category_name: 'Eating out',
};

export const categoryMappingsDocs: Readonly<Record<string, ResourceDocs>> = {
  category_mapping: {
    description: 'Which category of the budgeting app takes rows of a provider category.',
    fields: { destination_category: "The app's own id." },
    example: mappingExample,
  },
};

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
    response: listOf(categoryMappingSchema),
    errors: ['resource_missing', 'not_supported', 'sync_has_no_destination'],
    handle: async ({ params, caller, services }) =>
      present(await services.categoryMappings.read(caller.accountRecord.id, pathId('sync', params.id))),
  }),
  operation({
    id: 'set_category_mappings',
    summary: 'Replace the category mappings of a budgeting-app sync; null unmaps',
    docs: {
      description: 'Replaces the whole set: omitted mappings are removed.',
      body: {
        mappings: [
          {
            provider_category: 'FOOD_AND_DRINK_COFFEE',
            destination_category: 'EXAMPLE-budget-category',
            destination_category_name: 'Eating out',
          },
        ],
      },
    },
    method: 'POST',
    path,
    scope: 'syncs:write',
    tier: 'mutating',
    params: idParams('sync'),
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
  return wholeList(mappings.map((mapping) => ({ object: 'category_mapping' as const, ...mapping })));
}
