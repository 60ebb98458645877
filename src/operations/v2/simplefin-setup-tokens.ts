import { type Static, Type } from 'typebox';
import { setupTokenStatus } from '../../features/access/setup-tokens.ts';
import type { SimplefinSetupToken } from '../../storage/simplefin-setup-tokens.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { SIMPLEFIN_SETUP_TOKEN_STATUSES } from '../../vocabulary/states.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import { setupTokenText } from '../simplefin/addresses.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, exampleId } from './docs/examples.ts';
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
  timestamp,
} from './schema/conventions.ts';
import { appName } from './simplefin-apps.ts';

/** docs/simplefin.md#setup-tokens. `setup_token` is text only in the answer that creates it. */
export const simplefinSetupTokenSchema = resource('simplefin_setup_token', {
  id: idOf('simplefin_setup_token'),
  object: Type.Literal('simplefin_setup_token'),
  name: appName,
  two_decimals: Type.Boolean(),
  leave_out_extra: Type.Boolean(),
  setup_token: nullable(Type.String()),
  status: oneOf(SIMPLEFIN_SETUP_TOKEN_STATUSES),
  expires_at: timestamp,
  claimed_at: nullable(timestamp),
  app: nullable(idOf('simplefin_app')),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const createSimplefinSetupTokenBody = Type.Object({
  name: appName,
  two_decimals: Type.Optional(Type.Boolean({ default: false })),
  leave_out_extra: Type.Optional(Type.Boolean({ default: false })),
});

/** `setupToken`: as `setupTokenText` writes it, given only by create. */
export function presentSimplefinSetupToken(
  token: SimplefinSetupToken,
  now: number,
  setupToken: string | null = null,
): Static<typeof simplefinSetupTokenSchema> {
  return {
    id: publicId('simplefin_setup_token', token.id),
    object: 'simplefin_setup_token',
    name: token.name,
    two_decimals: token.two_decimals,
    leave_out_extra: token.leave_out_extra,
    setup_token: setupToken,
    status: setupTokenStatus(token, now),
    expires_at: moment(token.expires_at),
    claimed_at: momentOrNull(token.claimed_at),
    app: token.app === null ? null : publicId('simplefin_app', token.app),
    livemode: true,
    created: moment(token.created),
    updated: moment(token.updated),
  };
}

const tokenExample: Static<typeof simplefinSetupTokenSchema> = {
  id: exampleId('simplefin_setup_token'),
  object: 'simplefin_setup_token',
  name: 'Actual on the home server',
  two_decimals: true,
  leave_out_extra: false,
  setup_token: null,
  status: 'open',
  expires_at: '2026-11-09T03:14:15.926Z',
  claimed_at: null,
  app: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};
/** The Base64 of https://hub.example.com/simplefin/claim/EXAMPLE. */
const setupTokenExample = 'aHR0cHM6Ly9odWIuZXhhbXBsZS5jb20vc2ltcGxlZmluL2NsYWltL0VYQU1QTEU=';

export const simplefinSetupTokensDocs: Readonly<Record<string, ResourceDocs>> = {
  simplefin_setup_token: {
    description: 'A token that one program claims once, within 7 days.',
    fields: {
      name: 'What the program that claims it is called.',
      two_decimals: 'Whether that program is sent amounts rounded to two decimals, until the app is changed.',
      leave_out_extra:
        'Whether that program is sent no `extra` of accounts and transactions, until the app is changed.',
      setup_token: 'The text to paste; only in the answer that creates the token.',
      app: 'The app that claimed it.',
    },
    example: tokenExample,
  },
};

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
    query: Type.Object(pagingQuery),
    response: listOf(simplefinSetupTokenSchema),
    handle: async (request) => {
      const { caller, services } = request;
      const paging = new ListRequest(request, 'list_simplefin_setup_tokens', path, request.query);
      const page = await services.setupTokens.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, (token) => presentSimplefinSetupToken(token, services.clock.now()));
    },
  }),
  operation({
    id: 'create_simplefin_setup_token',
    summary: 'Create a SimpleFIN setup token; it is shown once',
    docs: {
      description:
        'Paste the text of `setup_token` into the program; it cannot be shown again. The calling key must hold data:read as well, and must be restricted neither by allowed_ips nor by expires_at.',
      sent: {
        name: 'What to call the program.',
        two_decimals:
          'true for programs that take the last two digits of an amount for cents, such as Actual Budget. Without it, amounts are exact, with at least two decimals.',
        leave_out_extra:
          'true for programs that are to be sent no `extra` of accounts and transactions, which holds ids and categories.',
      },
      body: { name: 'Actual on the home server', two_decimals: true },
      answer: { ...tokenExample, setup_token: setupTokenExample },
    },
    method: 'POST',
    path,
    scope,
    tier: 'mutating',
    answersSecret: true,
    freshSignIn: true,
    audit: 'simplefin_setup_token.created',
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
    docs: {
      description: 'It can no longer be claimed. An app that has claimed it is revoked as well.',
    },
    method: 'DELETE',
    path: `${path}/:id`,
    scope,
    tier: 'mutating',
    audit: 'simplefin_setup_token.revoked',
    params: idParams('simplefin_setup_token'),
    response: deletedSchema('simplefin_setup_token', 'simplefin_setup_token'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('simplefin_setup_token', params.id);
      const token = await services.setupTokens.revoke(caller.accountRecord.id, id);
      return deletedAnswer(publicId('simplefin_setup_token', token.id), 'simplefin_setup_token');
    },
  }),
];
