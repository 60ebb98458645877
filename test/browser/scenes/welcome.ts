import { linkedOwner } from '../lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

export const WELCOME_SCENES: Scenes = {
  welcome: sceneAt('/welcome', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByRole('button', { name: /^Link .*Sandbox/ }).waitFor(),
  })),
  'welcome-linked': sceneAt('/welcome', async (service) => ({
    owner: await linkedOwner(service),
    path: '/welcome?destination_link=failed&reason=access_denied',
    ready: (page) => page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).waitFor(),
  })),
};
