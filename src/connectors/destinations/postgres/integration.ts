import type { DestinationIntegration } from '../destination-integration.ts';

/** Databases need no settings: each destination brings its own address and credentials. */
export const POSTGRES: DestinationIntegration = {
  kind: 'destination',
  name: 'postgres',
  variables: [],
  open: async (_values, { addresses, clock, limits }) => {
    const { postgresConnector } = await import('./postgres-connector.ts');
    return postgresConnector({ addresses, clock, limits });
  },
};
