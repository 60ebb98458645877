import { ownAddress } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const SERVER_URL = ownAddress(
  'ACTUAL_SERVER_URL',
  'The operator’s own Actual server: destinations may use it without an entry in `OUTBOUND_ALLOW`.',
);

/** Actual Budget, for which each destination brings the address of a server and the password for it. */
export const ACTUAL: DestinationIntegration = {
  kind: 'destination',
  name: 'actual',
  variables: [SERVER_URL],
  open: async (_values, tools) => {
    const { actualConnector } = await import('./actual-connector.ts');
    return actualConnector(tools);
  },
};
