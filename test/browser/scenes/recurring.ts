import { linkedOwner } from '../lives.ts';
import { household } from './household.ts';
import { type Scenes, sceneAt } from './scene.ts';

export const RECURRING_SCENES: Scenes = {
  recurring: sceneAt('/recurring', async (service) => ({
    owner: await household(service),
    whole: true,
    ready: (page) => page.getByRole('list', { name: 'Next 30 days' }).waitFor(),
  })),
  'recurring-none': sceneAt('/recurring', async (service) => ({
    owner: await linkedOwner(service, { customer: 'dormant' }),
    ready: (page) => page.getByText('Nothing recurring was found').waitFor(),
  })),
  'recurring-unlinked': sceneAt('/recurring', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No bank account is linked yet').waitFor(),
  })),
  merchants: sceneAt('/merchants', async (service) => ({
    owner: await household(service),
    ready: (page) => page.getByRole('main').getByRole('listitem').nth(5).waitFor(),
  })),
  'merchants-unmatched': sceneAt('/merchants', async (service) => ({
    owner: await linkedOwner(service),
    path: '/merchants?q=nothing+of+this+name',
    ready: (page) => page.getByText('No merchant matches').waitFor(),
  })),
  merchant: sceneAt('/merchants/:merchant', async (service) => ({
    owner: await linkedOwner(service),
    path: '/merchants/bpay-bright-energy',
    ready: async (page) => {
      await page.getByRole('list', { name: 'Recurring' }).waitFor();
      await page.getByRole('main').getByRole('list').getByRole('button').first().waitFor();
    },
  })),
  'merchant-category': sceneAt('/merchants/:merchant', async (service) => ({
    owner: await linkedOwner(service),
    path: '/merchants/corner-pantry',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Change for all' }).click();
      await page.getByLabel('New category', { exact: true }).selectOption({ index: 3 });
      await page.getByRole('radio', { name: /^Change what the bank/ }).check();
      await page.getByText('read so far will move').waitFor();
    },
  })),
  'merchant-missing': sceneAt('/merchants/:merchant', async (service) => ({
    owner: await linkedOwner(service),
    path: '/merchants/nobody',
    ready: (page) => page.getByText('No transactions of this merchant').waitFor(),
  })),
};
