import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of the Australian banking vendor. */
export const AU_BANKING_SIMULATOR: SimulatorIntegration = {
  folder: 'au-banking',
  pages: ['/link/*', '/assets/institutions/*'],
  personas: [
    'salaried-household',
    'sole-trader',
    'mortgage-offset',
    'term-deposit',
    'credit-card',
    'foreign-currency',
    'dormant',
    'pending-heavy',
    'ten-thousand-rows',
    'rows:N',
  ],
  prepare: async (dataFile) => {
    const { prepareAuBanking } = await import('./server.ts');
    return prepareAuBanking(dataFile);
  },
};
