import { address, credential, option, secret } from '../../../platform/integration-settings.ts';
import type { ProviderIntegration } from '../provider-integration.ts';

const BASE_URL = address(
  'SNAPTRADE_BASE_URL',
  'https://api.snaptrade.com',
  'Where the brokerage vendor is reached.',
);
const CLIENT_ID = credential(
  'SNAPTRADE_CLIENT_ID',
  'Client id from the vendor; needs `SNAPTRADE_CONSUMER_KEY`.',
);
const CONSUMER_KEY = secret(
  'SNAPTRADE_CONSUMER_KEY',
  'Consumer key from the vendor; needs `SNAPTRADE_CLIENT_ID`.',
);
const KEY_TYPE = option(
  'SNAPTRADE_KEY_TYPE',
  ['commercial', 'personal'],
  'commercial',
  'Whether the key is for customers, or a free one for its owner’s own accounts.',
);

/** The SnapTrade API in front of brokers. */
export const BROKERAGE: ProviderIntegration = {
  kind: 'provider',
  name: 'brokerage',
  variables: [BASE_URL, CLIENT_ID, CONSUMER_KEY, KEY_TYPE],
  open: async (values, tools) => {
    const { createBrokerageProvider } = await import('./connector.ts');
    return createBrokerageProvider({
      ...tools,
      baseUrl: values.get(BASE_URL),
      clientId: values.get(CLIENT_ID),
      consumerKey: values.get(CONSUMER_KEY),
      personal: values.get(KEY_TYPE) === 'personal',
    });
  },
};
