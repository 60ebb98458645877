import type { LinkedConnection } from '../../../features/linking/connections.ts';
import { formatInstant } from '../../../vocabulary/moments.ts';
import { PROVIDERS } from '../../../vocabulary/providers.ts';
import type { ConnectionStatus } from '../../../vocabulary/states.ts';
import type { V1ConnectionStatus } from '../schemas/connections.ts';

/** v1 has four statuses for v2's six: what cannot be read for now waits for its person, what ended has ended. */
export const V1_STATUS_OF: Readonly<Record<ConnectionStatus, V1ConnectionStatus>> = {
  pending: 'pending_mfa',
  active: 'active',
  expiring: 'active',
  expired: 'invalidated',
  invalidated: 'invalidated',
  revoked: 'revoked',
};

export function presentConnection({ connection, status }: LinkedConnection) {
  const { provider, last_refreshed_at: refreshed } = connection;
  return {
    id: connection.id,
    provider,
    category: PROVIDERS[provider].category,
    institutionId: connection.institution_id,
    institutionName: connection.institution_name,
    institutionLogo: connection.institution_logo,
    status: V1_STATUS_OF[status],
    lastRefreshedAt: refreshed === null ? null : formatInstant(refreshed.getTime()),
    createdAt: formatInstant(connection.created.getTime()),
  };
}
