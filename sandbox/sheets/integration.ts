import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of Google Sheets, Drive and Google's sign-in. */
export const SHEETS_SIMULATOR: SimulatorIntegration = {
  folder: 'sheets',
  pages: ['/o/oauth2/v2/auth', '/oauth/*', '/spreadsheets', '/spreadsheets/*'],
  personas: [],
  prepare: async () => {
    const { prepareSheets } = await import('./server.ts');
    return prepareSheets();
  },
};
