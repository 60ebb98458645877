import type { PreparedSimulator } from '../shared/simulator.ts';
import { startCsvFolder } from './server.ts';

/** The simulator. A destination has nobody to link. */
export function prepareCsvFolder(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ pagesUrl, stateFile, ports }) => {
      const root = stateFile.replace(/\.json$/, '');
      const simulator = await startCsvFolder({ root, pagesUrl, ports });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: { CSV_FOLDER_ROOT: root },
        people: null,
        received: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
