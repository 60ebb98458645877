import { commaList } from '../../../platform/config-values.ts';
import {
  address,
  credential,
  type IntegrationVariable,
  page,
  secret,
} from '../../../platform/integration-settings.ts';
import type { ProviderIntegration } from '../provider-integration.ts';

const BASE_URL = address(
  'AKAHU_BASE_URL',
  'https://api.akahu.io',
  'Where the New Zealand banking vendor is reached.',
);
const OAUTH_URL = page(
  'AKAHU_OAUTH_URL',
  'https://oauth.akahu.nz',
  'The vendor’s page on which people choose their banks and consent.',
);
const APP_TOKEN = credential(
  'AKAHU_APP_TOKEN',
  'App token from the vendor; needs `AKAHU_APP_SECRET` or `AKAHU_USER_TOKEN`.',
);
const APP_SECRET = secret('AKAHU_APP_SECRET', 'App secret of a full app; needs `AKAHU_APP_TOKEN`.');
const USER_TOKEN = secret(
  'AKAHU_USER_TOKEN',
  'User token of a personal app, which reads the accounts of its owner alone; needs `AKAHU_APP_TOKEN`.',
);
const POSITIVE_DEBT: IntegrationVariable<readonly string[]> = {
  env: 'AKAHU_POSITIVE_DEBT',
  role: 'option',
  parse: commaList(/^conn_\w{1,100}$/, 'connection ids of the vendor'),
  default: null,
  shownDefault: 'none',
  form: '`conn_…` ids, separated by commas',
  purpose: 'Banks whose cards and loans show debt as a positive balance: it is reversed.',
};

/** The Akahu API in front of banks in New Zealand: as a full app, or as the personal app of one person. */
export const NZ_BANKING: ProviderIntegration = {
  kind: 'provider',
  name: 'nz_banking',
  variables: [BASE_URL, OAUTH_URL, APP_TOKEN, APP_SECRET, USER_TOKEN, POSITIVE_DEBT],
  alternatives: [
    [APP_TOKEN, APP_SECRET],
    [APP_TOKEN, USER_TOKEN],
  ],
  open: async (values, tools) => {
    const { createNzBankingProvider } = await import('./connector.ts');
    return createNzBankingProvider({
      ...tools,
      baseUrl: values.get(BASE_URL),
      oauthUrl: values.get(OAUTH_URL),
      appToken: values.get(APP_TOKEN),
      appSecret: values.find(APP_SECRET),
      userToken: values.find(USER_TOKEN),
      positiveDebt: new Set(values.find(POSITIVE_DEBT) ?? []),
    });
  },
};
