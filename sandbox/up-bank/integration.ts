import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of the bank Up. It has no pages: people create their token in an app. */
export const UP_BANK_SIMULATOR: SimulatorIntegration = {
  folder: 'up-bank',
  pages: [],
  personas: ['everyday', 'two-up', 'home-loan', 'traveller', 'quiet', 'rows:N'],
  prepare: async (dataFile) => {
    const { prepareUpBank } = await import('./server.ts');
    return prepareUpBank(dataFile);
  },
};
