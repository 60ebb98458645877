import { linkedOwner } from '../lives.ts';
import { household } from './household.ts';
import type { Scenes } from './scene.ts';

export const CONNECTIONS_SCENES: Scenes = {
  'connections-empty': async (service) => ({
    owner: await service.owner(),
    path: '/connections',
    ready: (page) => page.getByText('No bank is linked yet').waitFor(),
  }),
  connections: async (service) => ({
    owner: await household(service),
    path: '/connections?link_session=completed',
    ready: (page) => page.getByText('Expires in 12 days').waitFor(),
  }),
  'connections-menu': async (service) => ({
    owner: await household(service),
    path: '/connections',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  }),
  'connection-delete': async (service) => ({
    owner: await household(service),
    path: '/connections',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText('stop the sync').waitFor();
    },
  }),
  'connection-new': async (service) => ({
    owner: await service.owner(),
    path: '/connections/new',
    ready: (page) =>
      page
        .getByRole('button', { name: /Data Holder/ })
        .first()
        .waitFor(),
  }),
  connection: async (service) => {
    const owner = await linkedOwner(service);
    return {
      owner,
      path: `/connections/${owner.connection.id}`,
      ready: (page) => page.getByText('Granted').waitFor(),
    };
  },
  'connection-missing': async (service) => ({
    owner: await service.owner(),
    path: '/connections/conn_nothing',
    ready: (page) => page.getByText('What this means').waitFor(),
  }),
};
