import { investor, saver } from '../lives.ts';
import { oncePerService } from './once-per-service.ts';
import type { Scenes } from './scene.ts';

const trader = oncePerService((service) => investor(service, 'self-directed'));

export const BROKERAGE_SCENES: Scenes = {
  holdings: async (service) => ({
    owner: await trader(service),
    path: '/holdings',
    ready: (page) => page.getByText('Whole World Index ETF').waitFor(),
  }),
  'holdings-derivatives': async (service) => ({
    owner: await investor(service, 'derivatives'),
    path: '/holdings',
    ready: (page) => page.getByText('Bitcoin').waitFor(),
  }),
  'holdings-none': async (service) => ({
    owner: await investor(service, 'cash-only'),
    path: '/holdings',
    ready: (page) => page.getByText('Nothing is held').waitFor(),
  }),
  'holdings-unlinked': async (service) => ({
    owner: await service.owner(),
    path: '/holdings',
    ready: (page) => page.getByText('No broker is linked yet').waitFor(),
  }),
  'holdings-locked': async (service) => ({
    owner: await saver(service),
    path: '/holdings',
    ready: (page) => page.getByText('Your plan does not include brokerage data').waitFor(),
  }),
  trades: async (service) => ({
    owner: await trader(service),
    path: '/trades',
    ready: (page) => page.getByRole('main').getByRole('listitem').nth(6).waitFor(),
  }),
  'trades-unmatched': async (service) => ({
    owner: await trader(service),
    path: '/trades?type=split',
    ready: (page) => page.getByText('No trade matches').waitFor(),
  }),
};
