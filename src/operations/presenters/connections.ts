import type { Static } from 'typebox';
import { consentStatus } from '../../features/linking/connection-status.ts';
import type { LinkedConnection } from '../../features/linking/connections.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { PROVIDERS } from '../../vocabulary/providers.ts';
import type { connectionSchema } from '../schemas/connections.ts';
import type { Services } from '../services.ts';
import { presentAccount } from './accounts.ts';
import { presentInstitutionSummary } from './institutions.ts';
import { moment, momentOrNull } from './moments.ts';

/** `accounts` only where the caller asked to include them (docs/api-conventions.md#including-more). */
export function presentConnection(
  { connection, consent, status, accounts }: LinkedConnection,
  { clock, publicUrl }: Pick<Services, 'clock' | 'publicUrl'>,
  include: ReadonlySet<string>,
): Static<typeof connectionSchema> {
  return {
    id: publicId('connection', connection.id),
    object: 'connection',
    provider: connection.provider,
    category: PROVIDERS[connection.provider].category,
    institution: presentInstitutionSummary(connection, publicUrl),
    status,
    account_count: accounts.length,
    last_refreshed_at: momentOrNull(connection.last_refreshed_at),
    consent:
      consent === null
        ? null
        : {
            id: publicId('consent', consent.id),
            status: consentStatus(consent, clock.now()),
            expires_at: momentOrNull(consent.expires_at),
          },
    accounts: include.has('accounts')
      ? accounts.map((account) => presentAccount(account, connection, publicUrl))
      : null,
    metadata: connection.metadata,
    livemode: true,
    created: moment(connection.created),
    updated: moment(connection.updated),
  };
}
