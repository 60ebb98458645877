import type { PreparedSimulator } from '../shared/simulator.ts';
import { startSheetsSimulator } from './server.ts';

const CLIENT_ID = 'sandbox.apps.googleusercontent.com';
const CLIENT_SECRET = 'sandbox-secret';

/** The simulator. Nobody's data is read from it: the demo links nobody here. */
export function prepareSheets(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startSheetsSimulator({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        clock,
        pagesUrl,
        stateFile,
        ports,
      });
      const { url, controlUrl, control, settings } = simulator;
      return {
        url,
        controlUrl,
        settings,
        people: null,
        received: simulator.received,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
