import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { SIMPLEFIN_APP_STATUSES } from '../../vocabulary/states.ts';
import { idOf, livemode, nullable, oneOf, resource, text, timestamp } from './conventions.ts';

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
