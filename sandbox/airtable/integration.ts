import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of Airtable. */
export const AIRTABLE_SIMULATOR: SimulatorIntegration = {
  folder: 'airtable',
  pages: ['/oauth2/v1/authorize', '/oauth/*', '/bases', '/app*'],
  personas: [],
  prepare: async () => {
    const { prepareAirtable } = await import('./server.ts');
    return prepareAirtable();
  },
};
