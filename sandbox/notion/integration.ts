import type { SimulatorIntegration } from '../shared/simulator.ts';

/** The simulator of Notion. */
export const NOTION_SIMULATOR: SimulatorIntegration = {
  folder: 'notion',
  pages: ['/v1/oauth/authorize', '/oauth/*', '/databases', '/databases/*', '/pages/*'],
  personas: [],
  prepare: async () => {
    const { prepareNotion } = await import('./server.ts');
    return prepareNotion();
  },
};
