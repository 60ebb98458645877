import { type Static, Type } from 'typebox';
import type { SavedView } from '../../storage/saved-views.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './docs/examples.ts';
import {
  deletedAnswer,
  deletedSchema,
  idOf,
  idParams,
  livemode,
  moment,
  pathId,
  resource,
  text,
  timestamp,
} from './schema/conventions.ts';

const savedViewSchema = resource('saved_view', {
  id: idOf('saved_view'),
  object: Type.Literal('saved_view'),
  name: Type.String(),
  query: Type.String(),
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.view_name_characters);
const query = Type.String({
  maxLength: FIXED_LIMITS.view_query_characters,
  description:
    'The filters, as in the address of the transactions page of the application: `kind=out&days=30`. Not checked here; the page leaves out what it does not know.',
});

const example: Static<typeof savedViewSchema> = {
  id: exampleId('saved_view'),
  object: 'saved_view',
  name: 'Coffee of the last month',
  query: `category=${exampleId('category', 2)}&days=30`,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

export const savedViewsDocs: Readonly<Record<string, ResourceDocs>> = {
  saved_view: {
    description: 'Filters of transactions under a name, which the web application shows on every device.',
    fields: {
      query: 'The filters, as in the address of the transactions page of the application.',
    },
    example,
  },
};

function presented(row: SavedView): Static<typeof savedViewSchema> {
  return {
    id: publicId('saved_view', row.id),
    object: 'saved_view',
    name: row.name,
    query: row.query,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

const path = '/v2/saved_views';
const read = 'categories:read';
const write = 'categories:write';

/** docs/resources.md#saved-view. */
export const savedViewOperations: readonly Operation[] = [
  operation({
    id: 'list_saved_views',
    summary: 'List saved views of transactions',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object(pagingQuery),
    response: listOf(savedViewSchema),
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_saved_views', path, request.query);
      const { caller, services } = request;
      const page = await services.savedViews.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presented);
    },
  }),
  operation({
    id: 'create_saved_view',
    summary: 'Save filters of transactions under a name',
    docs: {
      body: { name: example.name, query: example.query },
      answer: { ...example, updated: EXAMPLE_CREATED },
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'mutating',
    body: Type.Object({ name, query }),
    response: savedViewSchema,
    handle: async ({ body, caller, services }) =>
      presented(await services.savedViews.create(caller.accountRecord.id, body)),
  }),
  operation({
    id: 'get_saved_view',
    summary: 'Read a saved view',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('saved_view'),
    response: savedViewSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presented(await services.savedViews.read(caller.accountRecord.id, pathId('saved_view', params.id))),
  }),
  operation({
    id: 'update_saved_view',
    summary: 'Rename a saved view, or change its filters',
    docs: { description: 'Omitted fields are unchanged.', body: { name: 'Coffee' } },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('saved_view'),
    body: Type.Object({ name: Type.Optional(name), query: Type.Optional(query) }),
    response: savedViewSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('saved_view', params.id);
      return presented(await services.savedViews.update(caller.accountRecord.id, id, body));
    },
  }),
  operation({
    id: 'delete_saved_view',
    summary: 'Delete a saved view; its transactions stay',
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'saved_view.deleted',
    params: idParams('saved_view'),
    response: deletedSchema('saved_view', 'saved_view'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      await services.savedViews.delete(caller.accountRecord.id, pathId('saved_view', params.id));
      return deletedAnswer(params.id, 'saved_view');
    },
  }),
];
