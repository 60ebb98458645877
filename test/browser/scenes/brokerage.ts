import { investor, saver } from '../lives.ts';
import { oncePerService } from './once-per-service.ts';
import { type Scenes, sceneAt } from './scene.ts';

const trader = oncePerService((service) => investor(service, 'self-directed'));

export const BROKERAGE_SCENES: Scenes = {
  holdings: sceneAt('/holdings', async (service) => ({
    owner: await trader(service),
    ready: (page) => page.getByRole('row', { name: /Whole World Index ETF/ }).waitFor(),
  })),
  'holdings-derivatives': sceneAt('/holdings', async (service) => ({
    owner: await investor(service, 'derivatives'),
    ready: (page) => page.getByRole('row', { name: /Bitcoin/ }).waitFor(),
  })),
  'holdings-none': sceneAt('/holdings', async (service) => ({
    owner: await investor(service, 'cash-only'),
    ready: (page) => page.getByText('No holdings', { exact: true }).waitFor(),
  })),
  'holdings-unlinked': sceneAt('/holdings', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No broker is linked yet').waitFor(),
  })),
  'holdings-locked': sceneAt('/holdings', async (service) => ({
    owner: await saver(service),
    ready: (page) => page.getByText('Your plan does not include brokerage data').waitFor(),
  })),
  trades: sceneAt('/trades', async (service) => ({
    owner: await trader(service),
    ready: (page) => page.getByRole('main').getByRole('listitem').nth(6).waitFor(),
  })),
  'trades-unmatched': sceneAt('/trades', async (service) => ({
    owner: await trader(service),
    path: '/trades?type=split',
    ready: (page) => page.getByText('No trade matches').waitFor(),
  })),
};
