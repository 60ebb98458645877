import { base64Secret } from '../../../platform/config-values.ts';
import {
  address,
  credential,
  option,
  optionalSecret,
  secret,
} from '../../../platform/integration-settings.ts';
import type { ProviderIntegration } from '../provider-integration.ts';

const BASE_URL = address(
  'FISKIL_BASE_URL',
  'https://api.fiskil.com',
  'Where the Australian banking vendor is reached.',
);
const CLIENT_ID = credential('FISKIL_CLIENT_ID', 'Client id from the vendor; needs `FISKIL_CLIENT_SECRET`.');
const CLIENT_SECRET = secret(
  'FISKIL_CLIENT_SECRET',
  'Client secret from the vendor; needs `FISKIL_CLIENT_ID`.',
);
const WEBHOOK_SECRET = {
  ...optionalSecret(
    'FISKIL_WEBHOOK_SECRET',
    'Signing secret of the webhook endpoint `{PUBLIC_URL}/provider-webhooks/au_banking`, base64 as the vendor’s console shows it. Without it, notifications are not accepted.',
  ),
  parse: base64Secret,
  form: 'base64',
};
const VERSION = option('FISKIL_VERSION', ['v2', 'v3'], 'v3', 'The version of the vendor’s API to ask for.');

/** The Fiskil data API in front of the Australian Consumer Data Right. */
export const AU_BANKING: ProviderIntegration = {
  kind: 'provider',
  name: 'au_banking',
  variables: [BASE_URL, CLIENT_ID, CLIENT_SECRET, WEBHOOK_SECRET, VERSION],
  open: async (values, tools) => {
    const { createAuBankingProvider } = await import('./connector.ts');
    return createAuBankingProvider({
      ...tools,
      baseUrl: values.get(BASE_URL),
      clientId: values.get(CLIENT_ID),
      clientSecret: values.get(CLIENT_SECRET),
      webhookSecret: values.find(WEBHOOK_SECRET),
      version: values.get(VERSION),
    });
  },
};
