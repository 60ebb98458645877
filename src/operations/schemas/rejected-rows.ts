import { Type } from 'typebox';
import { REJECTION_ORIGINS } from '../../vocabulary/set-aside-rows.ts';
import { day, idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';

/** docs/rows-set-aside.md#in-syncs */
export const rejectedRowSchema = resource('rejected_row', {
  id: idOf('rejected_row'),
  object: Type.Literal('rejected_row'),
  sync: idOf('sync'),
  account: idOf('account'),
  origin: oneOf(REJECTION_ORIGINS),
  row: nullable(Type.String()),
  day: nullable(day),
  field: nullable(Type.String()),
  reason: Type.String(),
  first_sync_run: idOf('sync_run'),
  last_sync_run: idOf('sync_run'),
  last_seen: timestamp,
  livemode,
  created: timestamp,
});
