import { address, credential, page, secret } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const BASE_URL = address('AIRTABLE_BASE_URL', 'https://api.airtable.com', 'Where Airtable’s API is reached.');
const TOKEN_URL = address('AIRTABLE_TOKEN_URL', 'https://airtable.com', 'Where Airtable issues tokens.');
const OAUTH_URL = page(
  'AIRTABLE_OAUTH_URL',
  'https://airtable.com',
  'Where Airtable’s pages are: the one on which people grant access, and those of their bases.',
);
const CLIENT_ID = credential(
  'AIRTABLE_CLIENT_ID',
  'Client id of the OAuth integration at Airtable; needs `AIRTABLE_CLIENT_SECRET`.',
);
const CLIENT_SECRET = secret(
  'AIRTABLE_CLIENT_SECRET',
  'Client secret of the OAuth integration at Airtable; needs `AIRTABLE_CLIENT_ID`.',
);

/** Airtable: rows become records of one table. */
export const AIRTABLE: DestinationIntegration = {
  kind: 'destination',
  name: 'airtable',
  variables: [BASE_URL, TOKEN_URL, OAUTH_URL, CLIENT_ID, CLIENT_SECRET],
  open: async (values, tools) => {
    const { createAirtableConnector } = await import('./airtable-connector.ts');
    return createAirtableConnector({
      ...tools,
      baseUrl: values.get(BASE_URL),
      tokenUrl: values.get(TOKEN_URL),
      oauthUrl: values.get(OAUTH_URL),
      clientId: values.get(CLIENT_ID),
      clientSecret: values.get(CLIENT_SECRET),
    });
  },
};
