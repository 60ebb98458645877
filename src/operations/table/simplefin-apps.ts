import { Type } from 'typebox';
import { publicId } from '../../vocabulary/ids.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentSimplefinApp } from '../presenters/simplefin-apps.ts';
import { deletedAnswer, deletedSchema } from '../schemas/conventions.ts';
import { simplefinAppSchema, updateSimplefinAppBody } from '../schemas/simplefin-apps.ts';

const path = '/v2/simplefin_apps';
const scope = 'keys:write';

export const simplefinAppOperations: readonly Operation[] = [
  operation({
    id: 'list_simplefin_apps',
    summary: 'List SimpleFIN apps',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    params: none,
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(simplefinAppSchema),
    handle: async (request) => {
      const { caller, services } = request;
      const walk = new Walk(request, 'list_simplefin_apps', path, request.query);
      const page = await services.simplefinApps.list(caller.accountRecord.id, walk.pageRequest);
      return walk.envelope(page, presentSimplefinApp);
    },
  }),
  operation({
    id: 'get_simplefin_app',
    summary: 'Read a SimpleFIN app',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('simplefin_app'),
    query: none,
    body: none,
    response: simplefinAppSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentSimplefinApp(
        await services.simplefinApps.find(caller.accountRecord.id, pathId('simplefin_app', params.id)),
      ),
  }),
  operation({
    id: 'update_simplefin_app',
    summary: 'Change a SimpleFIN app',
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'simplefin_app.updated',
    params: idParams('simplefin_app'),
    query: none,
    body: updateSimplefinAppBody,
    response: simplefinAppSchema,
    errors: ['resource_missing'],
    handle: async ({ params, body, caller, services }) => {
      const { simplefinApps } = services;
      const owner = caller.accountRecord.id;
      const id = pathId('simplefin_app', params.id);
      const app = await (Object.keys(body).length === 0
        ? simplefinApps.find(owner, id)
        : simplefinApps.update(owner, id, body));
      return presentSimplefinApp(app);
    },
  }),
  operation({
    id: 'revoke_simplefin_app',
    summary: 'Revoke a SimpleFIN app; its credentials stop working at once, everywhere',
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'simplefin_app.revoked',
    params: idParams('simplefin_app'),
    query: none,
    body: none,
    response: deletedSchema('simplefin_app', 'simplefin_app'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const app = await services.simplefinApps.revoke(
        caller.accountRecord.id,
        pathId('simplefin_app', params.id),
      );
      return deletedAnswer(publicId('simplefin_app', app.id), 'simplefin_app');
    },
  }),
];
