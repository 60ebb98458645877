import type { Locator, Page } from 'playwright-core';
import { linkedOwner, SETTLED } from '../lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

export const TRANSACTIONS_SCENES: Scenes = {
  transactions: sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    ready: (page) => firstRow(page).waitFor(),
  })),
  'transactions-pending': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service, { customer: 'pending-heavy' }),
    ready: (page) => page.getByText('May change or vanish').waitFor(),
  })),
  'transaction-open': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: `/transactions?${SETTLED}`,
    ready: async (page) => {
      await firstRow(page).click();
      await page.getByRole('button', { name: 'Change category' }).waitFor();
    },
  })),
  'category-change': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: `/transactions?${SETTLED}`,
    ready: async (page) => {
      await firstRow(page).click();
      await page.getByRole('button', { name: 'Change category' }).click();
      await page.getByLabel('New category', { exact: true }).selectOption({ index: 3 });
      await page.getByRole('radio', { name: /^Change what the bank/ }).check();
      await page.getByText('read so far will move').waitFor();
    },
  })),
  'category-rule': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: `/transactions?${SETTLED}`,
    ready: async (page) => {
      await firstRow(page).click();
      await page.getByRole('button', { name: 'Change category' }).click();
      await page.getByText('Always do this').click();
      await page.getByText('read so far match').waitFor();
    },
  })),
  'transactions-selected': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    ready: async (page) => {
      await firstRow(page).focus();
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      const start = page.getByRole('button', { name: 'Select', exact: true });
      if (await start.isVisible()) {
        await start.click();
        await page.getByRole('checkbox').nth(1).check();
      }
      await page.getByRole('region', { name: 'Selected transactions' }).waitFor();
    },
  })),
  'category-change-many': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    ready: async (page) => {
      await firstRow(page).focus();
      for (let row = 0; row < 8; row++) {
        await page.keyboard.press('x');
        await page.keyboard.press('j');
      }
      await page.getByRole('region').getByRole('button', { name: 'Change category' }).click();
      await page.getByLabel('New category', { exact: true }).selectOption({ index: 3 });
      await page.getByRole('radio', { name: /^Change what the bank/ }).check();
      await page.getByText('read so far will move').waitFor();
    },
  })),
  'transactions-export': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: '/transactions?kind=out',
    ready: async (page) => {
      await firstRow(page).waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByText('JSON lines').waitFor();
    },
  })),
  'transactions-filtered': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: '/transactions?least=20&sort=largest',
    ready: (page) => firstRow(page).waitFor(),
  })),
  'transactions-views': sceneAt('/transactions', async (service) => {
    const owner = await linkedOwner(service);
    const view = (name: string, query: string) => owner.v2('POST', '/v2/saved_views', { name, query });
    await view('Everything large', 'least=200&sort=largest&days=90');
    await view('Eating out', 'category=FOOD_AND_DRINK&days=30');
    await view('Pending now', 'kind=pending&days=90');
    const { body } = await view(
      'Money in, since the first of January of last year',
      'kind=in&from=2025-01-01',
    );
    return {
      owner,
      path: `/transactions?days=90&kind=out&view=${body.id}`,
      ready: async (page) => {
        await firstRow(page).waitFor();
        await page.getByRole('button', { name: /^Update/ }).waitFor();
      },
    };
  }),
  'transactions-view-saved': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: '/transactions?from=2026-01-01&kind=out',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByLabel(/^Always the last/).waitFor();
    },
  })),
  'transactions-empty': sceneAt('/transactions', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No bank account is linked yet').waitFor(),
  })),
  'transactions-unlinked': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: '/transactions?account=acct_0123456789ABCDEFGHIJKL',
    ready: (page) => page.getByText('This account is no longer linked').waitFor(),
  })),
  'transactions-unmatched': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    path: '/transactions?q=nothing+of+this+name',
    ready: (page) => page.getByText('No transaction matches').waitFor(),
  })),
};

function firstRow(page: Page): Locator {
  return page.getByRole('main').getByRole('list').getByRole('button').first();
}
