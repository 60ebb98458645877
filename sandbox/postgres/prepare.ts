import type { PreparedSimulator } from '../shared/simulator.ts';
import { startPostgresSimulator } from './server.ts';

/** The simulator. A destination has nobody to link. */
export function preparePostgres(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startPostgresSimulator({ clock, pagesUrl, stateFile, ports });
      const { control, url, controlUrl, secret } = simulator;
      return {
        url,
        controlUrl,
        settings: {},
        people: null,
        received: control,
        secret,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
