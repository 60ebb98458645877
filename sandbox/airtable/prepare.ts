import type { PreparedSimulator } from '../shared/simulator.ts';
import { startAirtableSimulator } from './server.ts';

const CLIENT_ID = 'sandbox-client';
const CLIENT_SECRET = 'sandbox-secret';

/** The simulator of a destination: nobody is linked there by the demo. */
export function prepareAirtable(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startAirtableSimulator({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock,
        pagesUrl,
        stateFile,
        ports,
      });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          AIRTABLE_BASE_URL: url,
          AIRTABLE_TOKEN_URL: url,
          AIRTABLE_OAUTH_URL: pagesUrl,
          AIRTABLE_CLIENT_ID: CLIENT_ID,
          AIRTABLE_CLIENT_SECRET: CLIENT_SECRET,
        },
        people: null,
        received: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
