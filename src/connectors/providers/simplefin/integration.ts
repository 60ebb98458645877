import { address, option, page } from '../../../platform/integration-settings.ts';
import type { ProviderIntegration } from '../provider-integration.ts';

const BRIDGE_URL = address(
  'SIMPLEFIN_BRIDGE_URL',
  'https://beta-bridge.simplefin.org/simplefin',
  'The bridge that people are expected to use. Tokens of other servers are accepted as well, at public https addresses.',
);
const CREATE_URL = page(
  'SIMPLEFIN_CREATE_URL',
  'https://beta-bridge.simplefin.org/simplefin/create',
  'Where people create a setup token.',
);
const REQUESTS = option(
  'SIMPLEFIN_REQUESTS',
  ['rationed', 'unlimited'],
  'rationed',
  'Whether an access is used for 24 requests a day at most, as SimpleFIN Bridge expects, or as often as needed, for a server of your own.',
);
/** What SimpleFIN Bridge allows in a day. */
const DAILY_REQUESTS = 24;

/** SimpleFIN servers. It needs no credentials: each person enters a setup token. */
export const SIMPLEFIN: ProviderIntegration = {
  kind: 'provider',
  name: 'simplefin',
  variables: [BRIDGE_URL, CREATE_URL, REQUESTS],
  open: async (values, tools) => {
    const { createSimplefinProvider } = await import('./connector.ts');
    return createSimplefinProvider({
      ...tools,
      bridgeUrl: values.get(BRIDGE_URL),
      createUrl: values.get(CREATE_URL),
      dailyRequests: values.get(REQUESTS) === 'rationed' ? DAILY_REQUESTS : null,
    });
  },
};
