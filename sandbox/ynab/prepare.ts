import type { PreparedSimulator } from '../shared/simulator.ts';
import { startYnabSimulator } from './server.ts';

const CLIENT_ID = 'ynab-sandbox';
const CLIENT_SECRET = 'sandbox-secret';

/** The simulator. A destination has nobody to link. */
export function prepareYnab(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startYnabSimulator({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock,
        pagesUrl,
        stateFile,
        ports,
      });
      const { control, url, apiUrl, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          YNAB_BASE_URL: apiUrl,
          YNAB_TOKEN_URL: url,
          YNAB_OAUTH_URL: pagesUrl,
          YNAB_CLIENT_ID: CLIENT_ID,
          YNAB_CLIENT_SECRET: CLIENT_SECRET,
        },
        people: null,
        received: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
