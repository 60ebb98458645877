import type { Static } from 'typebox';
import type { RecordedConsent } from '../../features/linking/consents.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { consentSchema } from '../schemas/consents.ts';
import { moment, momentOrNull } from './moments.ts';

export function presentConsent({ consent, status }: RecordedConsent): Static<typeof consentSchema> {
  return {
    id: publicId('consent', consent.id),
    object: 'consent',
    connection: publicId('connection', consent.connection),
    provider: consent.provider,
    status,
    purpose: consent.purpose,
    data_categories: consent.data_categories,
    granted_at: moment(consent.granted_at),
    expires_at: momentOrNull(consent.expires_at),
    withdrawn_at: momentOrNull(consent.withdrawn_at),
    termination_reason: consent.termination_reason,
    livemode: true,
    created: moment(consent.created),
    updated: moment(consent.updated),
  };
}
