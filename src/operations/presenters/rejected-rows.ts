import type { Static } from 'typebox';
import type { RejectedRow } from '../../storage/rejected-rows.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { rejectedRowSchema } from '../schemas/rejected-rows.ts';
import { moment } from './moments.ts';

export function presentRejectedRow(row: RejectedRow): Static<typeof rejectedRowSchema> {
  return {
    id: publicId('rejected_row', row.id),
    object: 'rejected_row',
    sync: publicId('sync', row.sync),
    account: publicId('account', row.account),
    origin: row.origin,
    row: row.source_id,
    day: row.day,
    field: row.field,
    reason: row.reason,
    first_sync_run: publicId('sync_run', row.first_run),
    last_sync_run: publicId('sync_run', row.last_run),
    last_seen: moment(row.last_seen),
    livemode: true,
    created: moment(row.first_seen),
  };
}
