import { Type } from 'typebox';
import { publicId } from '../../vocabulary/ids.ts';
import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentSimplefinSetupToken } from '../presenters/simplefin-setup-tokens.ts';
import { deletedAnswer, deletedSchema } from '../schemas/conventions.ts';
import {
  createSimplefinSetupTokenBody,
  simplefinSetupTokenSchema,
} from '../schemas/simplefin-setup-tokens.ts';
import { setupTokenText } from '../simplefin/addresses.ts';

const path = '/v2/simplefin_setup_tokens';
const scope = 'keys:write';

export const simplefinSetupTokenOperations: readonly Operation[] = [
  operation({
    id: 'list_simplefin_setup_tokens',
    summary: 'List SimpleFIN setup tokens',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    params: none,
    query: Type.Object(pagingQuery),
    body: none,
    response: listOf(simplefinSetupTokenSchema),
    handle: async (request) => {
      const { caller, services } = request;
      const walk = new Walk(request, 'list_simplefin_setup_tokens', path, request.query);
      const page = await services.setupTokens.list(caller.accountRecord.id, walk.pageRequest);
      return walk.envelope(page, (token) => presentSimplefinSetupToken(token, services.clock.now()));
    },
  }),
  operation({
    id: 'create_simplefin_setup_token',
    summary: 'Create a SimpleFIN setup token; it is shown once',
    method: 'POST',
    path,
    scope,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'simplefin_setup_token.created',
    params: none,
    query: none,
    body: createSimplefinSetupTokenBody,
    status: 201,
    response: simplefinSetupTokenSchema,
    errors: ['scope_not_held', 'key_limit_reached', 'simplefin_setup_token_create_failed'],
    handle: async ({ body, caller, services }) => {
      const { setupTokens, clock, publicUrl } = services;
      const { name, two_decimals: twoDecimals = false, leave_out_extra: leaveOutExtra = false } = body;
      const wanted = { name, twoDecimals, leaveOutExtra };
      const { token, secret } = await setupTokens.create(caller.accountRecord.id, wanted, caller);
      return presentSimplefinSetupToken(token, clock.now(), setupTokenText(publicUrl, secret));
    },
  }),
  operation({
    id: 'get_simplefin_setup_token',
    summary: 'Read a SimpleFIN setup token',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('simplefin_setup_token'),
    query: none,
    body: none,
    response: simplefinSetupTokenSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('simplefin_setup_token', params.id);
      const token = await services.setupTokens.find(caller.accountRecord.id, id);
      return presentSimplefinSetupToken(token, services.clock.now());
    },
  }),
  operation({
    id: 'revoke_simplefin_setup_token',
    summary: 'Revoke a SimpleFIN setup token, and the app that has claimed it',
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'simplefin_setup_token.revoked',
    params: idParams('simplefin_setup_token'),
    query: none,
    body: none,
    response: deletedSchema('simplefin_setup_token', 'simplefin_setup_token'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('simplefin_setup_token', params.id);
      const token = await services.setupTokens.revoke(caller.accountRecord.id, id);
      return deletedAnswer(publicId('simplefin_setup_token', token.id), 'simplefin_setup_token');
    },
  }),
];
