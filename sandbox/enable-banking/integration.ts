import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of Enable Banking. */
export const ENABLE_BANKING_SIMULATOR: SimulatorIntegration = {
  folder: 'enable-banking',
  pages: ['/welcome', '/welcome/*', '/logos/*'],
  personas: ['household', 'card-and-loan', 'two-currencies', 'dormant', 'rows:N'],
  prepare: async (dataFile) => {
    const { prepareEnableBanking } = await import('./server.ts');
    return prepareEnableBanking(dataFile);
  },
};
