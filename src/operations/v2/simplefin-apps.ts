import { type Static, Type } from 'typebox';
import type { SimplefinApp } from '../../storage/simplefin-apps.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { SIMPLEFIN_APP_STATUSES } from '../../vocabulary/states.ts';
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
  momentOrNull,
  nullable,
  oneOf,
  pathId,
  resource,
  text,
  timestamp,
} from './schema/conventions.ts';

/** What a person calls an app. */
export const appName = text(FIXED_LIMITS.key_name_characters);

/** docs/simplefin.md#apps. */
export const simplefinAppSchema = resource('simplefin_app', {
  id: idOf('simplefin_app'),
  object: Type.Literal('simplefin_app'),
  name: appName,
  two_decimals: Type.Boolean(),
  leave_out_extra: Type.Boolean(),
  setup_token: idOf('simplefin_setup_token'),
  status: oneOf(SIMPLEFIN_APP_STATUSES),
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const updateSimplefinAppBody = Type.Object({
  name: Type.Optional(appName),
  two_decimals: Type.Optional(Type.Boolean()),
  leave_out_extra: Type.Optional(Type.Boolean()),
});

export function presentSimplefinApp(app: SimplefinApp): Static<typeof simplefinAppSchema> {
  return {
    id: publicId('simplefin_app', app.id),
    object: 'simplefin_app',
    name: app.name,
    two_decimals: app.two_decimals,
    leave_out_extra: app.leave_out_extra,
    setup_token: publicId('simplefin_setup_token', app.setup_token),
    status: app.revoked_at === null ? 'active' : 'revoked',
    last_used_at: momentOrNull(app.last_used_at),
    revoked_at: momentOrNull(app.revoked_at),
    livemode: true,
    created: moment(app.created),
    updated: moment(app.updated),
  };
}

const appExample: Static<typeof simplefinAppSchema> = {
  id: exampleId('simplefin_app'),
  object: 'simplefin_app',
  name: 'Actual on the home server',
  two_decimals: true,
  leave_out_extra: false,
  setup_token: exampleId('simplefin_setup_token'),
  status: 'active',
  last_used_at: EXAMPLE_UPDATED,
  revoked_at: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const simplefinAppsDocs: Readonly<Record<string, ResourceDocs>> = {
  simplefin_app: {
    description: 'A program that has claimed a setup token and has credentials of its own for the bridge.',
    fields: {
      name: 'The name of its setup token, until it is renamed.',
      two_decimals:
        'Whether it is sent amounts rounded to two decimals. Otherwise they are exact, with at least two decimals.',
      leave_out_extra: 'Whether it is sent no `extra` of accounts and transactions.',
      setup_token: 'The setup token it has claimed.',
      last_used_at: 'When it last used its credentials, to within seconds.',
    },
    example: appExample,
  },
};

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
    query: Type.Object(pagingQuery),
    response: listOf(simplefinAppSchema),
    handle: async (request) => {
      const { caller, services } = request;
      const paging = new ListRequest(request, 'list_simplefin_apps', path, request.query);
      const page = await services.simplefinApps.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presentSimplefinApp);
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
    docs: {
      description: 'What the app asks for from now on is answered by the change.',
      sent: {
        two_decimals: 'true for apps that take the last two digits of an amount for cents.',
        leave_out_extra: 'true for apps that are to be sent no `extra`, which holds ids and categories.',
      },
      body: { name: 'Actual on the laptop', two_decimals: true },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'simplefin_app.updated',
    params: idParams('simplefin_app'),
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
    docs: { description: 'Other apps and API keys go on. A revoked app stays listed.' },
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'simplefin_app.revoked',
    params: idParams('simplefin_app'),
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
