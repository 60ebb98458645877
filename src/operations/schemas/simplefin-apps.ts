import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { SIMPLEFIN_APP_STATUSES } from '../../vocabulary/states.ts';
import { livemode, nullable, oneOf, resource, text, timestamp } from './conventions.ts';

/** docs/simplefin.md#apps. */
export const simplefinAppSchema = resource('simplefin_app', {
  id: Type.String(),
  object: Type.Literal('simplefin_app'),
  name: Type.String(),
  setup_token: Type.String(),
  status: oneOf(SIMPLEFIN_APP_STATUSES),
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

/** What a person calls an app. */
export const appName = text(FIXED_LIMITS.key_name_characters);

export const updateSimplefinAppBody = Type.Object({ name: Type.Optional(appName) });
