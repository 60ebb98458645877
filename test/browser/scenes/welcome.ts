import { linkedOwner } from '../lives.ts';
import type { Scenes } from './scene.ts';

export const WELCOME_SCENES: Scenes = {
  welcome: async (service) => ({
    owner: await service.owner(),
    path: '/welcome',
    ready: (page) => page.getByRole('button', { name: /^Link .*Sandbox/ }).waitFor(),
  }),
  'welcome-linked': async (service) => ({
    owner: await linkedOwner(service),
    path: '/welcome?destination_link=failed&reason=access_denied',
    ready: (page) => page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).waitFor(),
  }),
};
