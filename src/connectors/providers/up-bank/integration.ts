import { address, optionalSecret, secret } from '../../../platform/integration-settings.ts';
import type { ProviderIntegration } from '../provider-integration.ts';

const BASE_URL = address('UP_BASE_URL', 'https://api.up.com.au/api/v1', 'Where Up is reached.');
const TOKEN = secret(
  'UP_TOKEN',
  'Personal access token from the Up app. It reads the accounts of one person.',
);
const WEBHOOK_SECRET = optionalSecret(
  'UP_WEBHOOK_SECRET',
  'Secret key of the webhook that you registered at Up; needs `UP_TOKEN`.',
);

/** The bank Up, for a customer of it who runs this service. */
export const UP_BANK: ProviderIntegration = {
  kind: 'provider',
  name: 'up_bank',
  variables: [BASE_URL, TOKEN, WEBHOOK_SECRET],
  open: async (values, tools) => {
    const { createUpBankProvider } = await import('./connector.ts');
    return createUpBankProvider({
      ...tools,
      baseUrl: values.get(BASE_URL),
      token: values.get(TOKEN),
      webhookSecret: values.find(WEBHOOK_SECRET),
    });
  },
};
