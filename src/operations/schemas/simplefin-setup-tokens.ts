import { Type } from 'typebox';
import { SIMPLEFIN_SETUP_TOKEN_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';
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
