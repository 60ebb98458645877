import { address, credential, page, secret } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const BASE_URL = address('NOTION_BASE_URL', 'https://api.notion.com', 'Where Notion is reached.');
const OAUTH_URL = page(
  'NOTION_OAUTH_URL',
  'https://api.notion.com',
  'Where people reach Notion’s page on which they share pages; its path is added.',
);
const CLIENT_ID = credential(
  'NOTION_CLIENT_ID',
  'OAuth client id of the Notion connection; needs `NOTION_CLIENT_SECRET`.',
);
const CLIENT_SECRET = secret(
  'NOTION_CLIENT_SECRET',
  'OAuth client secret of the Notion connection; needs `NOTION_CLIENT_ID`.',
);

/** Notion, API version 2025-09-03. */
export const NOTION: DestinationIntegration = {
  kind: 'destination',
  name: 'notion',
  variables: [BASE_URL, OAUTH_URL, CLIENT_ID, CLIENT_SECRET],
  open: async (values, tools) => {
    const { NotionConnector } = await import('./notion-connector.ts');
    return new NotionConnector(
      {
        baseUrl: values.get(BASE_URL),
        oauthUrl: values.get(OAUTH_URL),
        clientId: values.get(CLIENT_ID),
        clientSecret: values.get(CLIENT_SECRET),
      },
      tools,
    );
  },
};
