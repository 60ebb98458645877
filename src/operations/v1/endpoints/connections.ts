import { NOTHING } from '../../parameters.ts';
import { uncached, v1Endpoint } from '../endpoint.ts';
import { presentConnection } from '../presenters/connections.ts';
import { connectionsSchema } from '../schemas/connections.ts';

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
