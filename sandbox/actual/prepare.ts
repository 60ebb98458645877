import type { PreparedSimulator } from '../shared/simulator.ts';
import { startActualSimulator } from './server.ts';

/** The simulator. A destination has nobody to link. */
export function prepareActual(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startActualSimulator({ clock, pagesUrl, stateFile, ports });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: { ACTUAL_SERVER_URL: url },
        secret: simulator.secret,
        people: null,
        received: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
