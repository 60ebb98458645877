import type { SimulatorIntegration } from '../../../sandbox/shared/simulator.ts';

import type { Integration } from '../../../src/app/integrations.ts';
import type { ProviderIntegration } from '../../../src/connectors/providers/provider-integration.ts';
import {
  address,
  credential,
  option,
  optionalSecret,
  secret,
} from '../../../src/platform/integration-settings.ts';

export const WEKA_SECRET = 'weka-secret';

const API = address('WEKA_BASE_URL', 'https://api.weka.invalid/v1', 'Where Weka is reached.');
const SIGN_IN = address('WEKA_OAUTH_URL', 'https://oauth.weka.invalid', 'Where people sign in.');
const APP = credential('WEKA_APP_TOKEN', 'Names our app.');
const APP_SECRET = secret('WEKA_APP_SECRET', 'Signs our calls.');
const WEBHOOKS = optionalSecret('WEKA_WEBHOOK_SECRET', 'Verifies webhooks.');
const MODE = option('WEKA_MODE', ['personal', 'full'], 'full', 'Which kind of app this is.');

const row: ProviderIntegration = {
  kind: 'provider',
  name: 'nz_banking',
  variables: [API, SIGN_IN, APP, APP_SECRET, WEBHOOKS, MODE],
  open: async (values, tools) => {
    const { createWeka } = await import('./connector.ts');
    return createWeka({
      ...tools,
      baseUrl: values.get(API),
      token: values.get(APP),
      secret: values.get(APP_SECRET),
    });
  },
};

const simulator: SimulatorIntegration = {
  folder: 'weka',
  pages: ['/sign-in/*'],
  personas: ['kea'],
  prepare: async () => {
    const { startWeka } = await import('./simulator.ts');
    return {
      demoPeople: () => [{ bank: null, customer: 'kea' }],
      start: async () => {
        const { url, controlUrl, control, close } = await startWeka();
        return {
          url,
          controlUrl,
          control,
          close,
          people: {
            logIns: () => ['kea'],
            knows: (_bank, logIn) => logIn === 'kea',
            shared: () => ({ accounts: 0, rows: 0 }),
          },
          settings: {
            [API.env]: `${url}/v1`,
            [SIGN_IN.env]: url,
            [APP.env]: 'weka-app',
            [APP_SECRET.env]: WEKA_SECRET,
          },
        };
      },
    };
  },
};

/** An integration that exists in this folder alone. */
export const WEKA: Integration = { row, simulator };
