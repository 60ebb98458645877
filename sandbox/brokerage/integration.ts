import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of the brokerage vendor. */
export const BROKERAGE_SIMULATOR: SimulatorIntegration = {
  folder: 'brokerage',
  pages: ['/portal/*', '/assets/brokers/*'],
  personas: [
    'self-directed',
    'multi-currency',
    'derivatives',
    'day-trader',
    'cash-only',
    'no-transactions',
    'no-accounts',
    'hidden-holdings',
    'second-factor',
    'invalid-credentials',
    'locked',
    'rate-limited',
    'rows:N',
  ],
  prepare: async () => {
    const { prepareBrokerage } = await import('./server.ts');
    return prepareBrokerage();
  },
};
