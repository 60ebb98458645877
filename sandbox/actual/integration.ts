import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of Actual Budget. */
export const ACTUAL_SIMULATOR: SimulatorIntegration = {
  folder: 'actual',
  pages: ['/', '/budgets/*'],
  personas: [],
  beside: true,
  prepare: async () => {
    const { prepareActual } = await import('./server.ts');
    return prepareActual();
  },
};
