import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of YNAB. */
export const YNAB_SIMULATOR: SimulatorIntegration = {
  folder: 'ynab',
  pages: ['/', '/plans/*', '/oauth/authorize', '/oauth/:id/complete'],
  personas: [],
  prepare: async () => {
    const { prepareYnab } = await import('./server.ts');
    return prepareYnab();
  },
};
