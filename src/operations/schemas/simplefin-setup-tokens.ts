import { Type } from 'typebox';
import { SIMPLEFIN_SETUP_TOKEN_STATUSES } from '../../vocabulary/states.ts';
import { livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';
import { appName } from './simplefin-apps.ts';

/** docs/simplefin.md#setup-tokens. `setup_token` is text only in the answer that creates it. */
export const simplefinSetupTokenSchema = resource('simplefin_setup_token', {
  id: Type.String(),
  object: Type.Literal('simplefin_setup_token'),
  name: Type.String(),
  setup_token: nullable(Type.String()),
  status: oneOf(SIMPLEFIN_SETUP_TOKEN_STATUSES),
  expires_at: timestamp,
  claimed_at: nullable(timestamp),
  app: nullable(Type.String()),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const createSimplefinSetupTokenBody = Type.Object({ name: appName });
