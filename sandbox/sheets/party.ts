import type { SimulatorParty } from '../shared/simulator.ts';

/** The simulator of Google Sheets, Drive and Google's sign-in. */
export const SHEETS_SIMULATOR: SimulatorParty = {
  folder: 'sheets',
  pages: ['/o/oauth2/v2/auth', '/oauth/*', '/spreadsheets', '/spreadsheets/*'],
  personas: [],
  prepare: async () => {
    const { prepareSheets } = await import('./server.ts');
    return prepareSheets();
  },
};
