import { oauthVariables } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const VARIABLES = oauthVariables('AIRTABLE', {
  base: ['https://api.airtable.com', 'Where Airtable’s API is reached.'],
  token: ['https://airtable.com', 'Where Airtable issues tokens.'],
  pages: [
    'https://airtable.com',
    'Where Airtable’s pages are: the one on which people grant access, and those of their bases.',
  ],
  client: 'of the OAuth integration at Airtable',
});

/** Airtable: rows become records of one table. */
export const AIRTABLE: DestinationIntegration = {
  kind: 'destination',
  name: 'airtable',
  variables: Object.values(VARIABLES),
  open: async (values, tools) => {
    const { createAirtableConnector } = await import('./connector.ts');
    return createAirtableConnector({ ...tools, ...values.oauth(VARIABLES) });
  },
};
