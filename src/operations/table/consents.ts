import { Type } from 'typebox';
import { fieldId, idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentConsent } from '../presenters/consents.ts';
import { consentSchema } from '../schemas/consents.ts';
import { idOf } from '../schemas/conventions.ts';

const path = '/v2/consents';
const scope = 'connections:read';

export const consentOperations: readonly Operation[] = [
  operation({
    id: 'list_consents',
    summary: 'List consents, including those that ended',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    params: none,
    query: Type.Object({ ...pagingQuery, connection: Type.Optional(idOf('connection')) }),
    body: none,
    response: listOf(consentSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { caller, services } = request;
      const walk = new Walk(request, 'list_consents', path, request.query);
      const named = walk.filter('connection');
      const connection = named === undefined ? null : fieldId('connection', named, 'connection');
      const page = await services.consents.list(caller.accountRecord.id, connection, walk.pageRequest);
      return walk.envelope(page, presentConsent);
    },
  }),
  operation({
    id: 'get_consent',
    summary: 'Read a consent',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('consent'),
    query: none,
    body: none,
    response: consentSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentConsent(await services.consents.read(caller.accountRecord.id, pathId('consent', params.id))),
  }),
];
