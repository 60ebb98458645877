import { address, credential, page, secret } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const SHEETS_URL = address(
  'GOOGLE_SHEETS_BASE_URL',
  'https://sheets.googleapis.com',
  'Where the Google Sheets API is reached.',
);
const DRIVE_URL = address(
  'GOOGLE_DRIVE_BASE_URL',
  'https://www.googleapis.com',
  'Where the Google Drive API is reached.',
);
const TOKEN_URL = address(
  'GOOGLE_TOKEN_URL',
  'https://oauth2.googleapis.com',
  'Where Google issues and revokes tokens.',
);
const OAUTH_URL = page(
  'GOOGLE_OAUTH_URL',
  'https://accounts.google.com',
  'Where people sign in with Google and consent.',
);
const CLIENT_ID = credential(
  'GOOGLE_CLIENT_ID',
  'Client id of the OAuth client in the Google Cloud console; needs `GOOGLE_CLIENT_SECRET`.',
);
const CLIENT_SECRET = secret(
  'GOOGLE_CLIENT_SECRET',
  'Client secret of the OAuth client; needs `GOOGLE_CLIENT_ID`.',
);

/** Google Sheets v4, with Drive v3 to list spreadsheets. */
export const SHEETS: DestinationIntegration = {
  kind: 'destination',
  name: 'sheets',
  variables: [SHEETS_URL, DRIVE_URL, TOKEN_URL, OAUTH_URL, CLIENT_ID, CLIENT_SECRET],
  open: async (values, tools) => {
    const { sheetsConnector } = await import('./sheets-connector.ts');
    return sheetsConnector(tools, {
      sheetsUrl: values.get(SHEETS_URL),
      driveUrl: values.get(DRIVE_URL),
      tokenUrl: values.get(TOKEN_URL),
      oauthUrl: values.get(OAUTH_URL),
      clientId: values.get(CLIENT_ID),
      clientSecret: values.get(CLIENT_SECRET),
    });
  },
};
