import { address, credential, page, secret } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const BASE_URL = address('YNAB_BASE_URL', 'https://api.ynab.com/v1', 'Where the API of YNAB is reached.');
const TOKEN_URL = address('YNAB_TOKEN_URL', 'https://app.ynab.com', 'Where YNAB exchanges codes for tokens.');
const OAUTH_URL = page('YNAB_OAUTH_URL', 'https://app.ynab.com', 'YNAB’s page on which people sign in.');
const CLIENT_ID = credential('YNAB_CLIENT_ID', 'Client id from YNAB; needs `YNAB_CLIENT_SECRET`.');
const CLIENT_SECRET = secret('YNAB_CLIENT_SECRET', 'Client secret from YNAB; needs `YNAB_CLIENT_ID`.');

/** Plans of YNAB, which people sign in to. */
export const YNAB: DestinationIntegration = {
  kind: 'destination',
  name: 'ynab',
  variables: [BASE_URL, TOKEN_URL, OAUTH_URL, CLIENT_ID, CLIENT_SECRET],
  open: async (values, tools) => {
    const { ynabConnector } = await import('./ynab-connector.ts');
    return ynabConnector({
      ...tools,
      baseUrl: values.get(BASE_URL),
      tokenUrl: values.get(TOKEN_URL),
      oauthUrl: values.get(OAUTH_URL),
      clientId: values.get(CLIENT_ID),
      clientSecret: values.get(CLIENT_SECRET),
    });
  },
};
