import type { SimulatorIntegration } from '../shared/simulator.ts';

/** A folder for CSV files, for installations whose operator set none. */
export const CSV_FOLDER_SIMULATOR: SimulatorIntegration = {
  folder: 'csv-folder',
  pages: ['/', '/files/*'],
  personas: [],
  prepare: async () => {
    const { prepareCsvFolder } = await import('./server.ts');
    return prepareCsvFolder();
  },
};
