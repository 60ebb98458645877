import { Type } from 'typebox';
import type { LinkedConnection } from '../../features/linking/connections.ts';
import { formatInstant } from '../../vocabulary/moments.ts';
import { PROVIDER_CATEGORIES, PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import type { ConnectionStatus } from '../../vocabulary/states.ts';
import { NOTHING } from '../parameters.ts';
import { oneOf } from '../v2/schema/conventions.ts';
import { shape, textOrNull, timestamp, uuid } from './conventions.ts';
import { uncached, v1Endpoint } from './endpoint.ts';

export const V1_CONNECTION_STATUSES = ['active', 'invalidated', 'pending_mfa', 'revoked'] as const;
export type V1ConnectionStatus = (typeof V1_CONNECTION_STATUSES)[number];

export const connectionsSchema = shape({
  data: Type.Array(
    shape({
      id: uuid,
      provider: Type.String(),
      category: oneOf(PROVIDER_CATEGORIES),
      institutionId: Type.String(),
      institutionName: Type.String(),
      institutionLogo: textOrNull,
      status: oneOf(V1_CONNECTION_STATUSES),
      lastRefreshedAt: Type.Union([timestamp, Type.Null()]),
      createdAt: timestamp,
    }),
  ),
});

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

export const connectionsEndpoint = v1Endpoint({
  id: 'v1_list_connections',
  summary: 'Connections, newest first',
  path: '/v1/connections',
  scope: 'connections:read',
  orScopes: ['data:read'],
  tier: 'cheap',
  query: NOTHING,
  response: connectionsSchema,
  handle: async (_query, { caller, services }) => {
    const all = await services.connections.all(caller.accountRecord.id);
    return uncached({ data: all.map(presentConnection) });
  },
});
