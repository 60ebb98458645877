import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of a SimpleFIN server. */
export const SIMPLEFIN_SIMULATOR: SimulatorIntegration = {
  folder: 'simplefin',
  pages: ['/simplefin/create'],
  personas: ['two-banks', 'everyday', 'cards', 'quiet', 'rows:N'],
  prepare: async (dataFile) => {
    const { prepareSimplefin } = await import('./server.ts');
    return prepareSimplefin(dataFile);
  },
};
