import type { PreparedSimulator } from '../shared/simulator.ts';
import { startNotionSimulator } from './server.ts';

const CLIENT_ID = 'notion-sandbox-client';
const CLIENT_SECRET = 'notion-sandbox-secret';

/** The simulator. Nobody is linked there: rows are written to it. */
export function prepareNotion(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startNotionSimulator({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock,
        pagesUrl,
        stateFile,
        ports,
      });
      const { url, controlUrl, control } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          NOTION_BASE_URL: url,
          NOTION_OAUTH_URL: pagesUrl,
          NOTION_CLIENT_ID: CLIENT_ID,
          NOTION_CLIENT_SECRET: CLIENT_SECRET,
        },
        people: null,
        received: simulator.received,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
