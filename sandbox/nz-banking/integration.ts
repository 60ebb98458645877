import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of the New Zealand banking vendor. */
export const NZ_BANKING_SIMULATOR: SimulatorIntegration = {
  folder: 'nz-banking',
  pages: ['/oauth', '/oauth/*', '/logos/*'],
  personas: ['salaried-household', 'card-and-loan', 'three-banks', 'foreign-currency', 'dormant', 'rows:N'],
  prepare: async (dataFile) => {
    const { prepareNzBanking } = await import('./server.ts');
    return prepareNzBanking(dataFile);
  },
};
