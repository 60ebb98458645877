import { oauthVariables } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const VARIABLES = oauthVariables('YNAB', {
  base: ['https://api.ynab.com/v1', 'Where the API of YNAB is reached.'],
  token: ['https://app.ynab.com', 'Where YNAB exchanges codes for tokens.'],
  pages: ['https://app.ynab.com', 'YNAB’s page on which people sign in.'],
  client: 'from YNAB',
});

/** Plans of YNAB, which people sign in to. */
export const YNAB: DestinationIntegration = {
  kind: 'destination',
  name: 'ynab',
  variables: Object.values(VARIABLES),
  open: async (values, tools) => {
    const { ynabConnector } = await import('./connector.ts');
    return ynabConnector({ ...tools, ...values.oauth(VARIABLES) });
  },
};
