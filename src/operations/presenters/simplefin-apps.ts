import type { Static } from 'typebox';
import type { SimplefinApp } from '../../storage/simplefin-apps.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { simplefinAppSchema } from '../schemas/simplefin-apps.ts';
import { moment, momentOrNull } from './moments.ts';

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
