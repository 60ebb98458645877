import type { SimulatorIntegration } from '../shared/simulator.ts';

/** A database server for people who have none. */
export const POSTGRES_SIMULATOR: SimulatorIntegration = {
  folder: 'postgres',
  pages: ['/', '/tables/*'],
  personas: [],
  beside: true,
  prepare: async () => {
    const { preparePostgres } = await import('./server.ts');
    return preparePostgres();
  },
};
