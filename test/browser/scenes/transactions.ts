import type { Locator, Page } from 'playwright-core';
import { linkedOwner } from '../lives.ts';
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
    ready: async (page) => {
      await firstRow(page).click();
      await page.getByRole('button', { name: 'Change category' }).waitFor();
    },
  })),
  'category-change': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
    ready: async (page) => {
      await firstRow(page).click();
      await page.getByRole('button', { name: 'Change category' }).click();
      await page.getByLabel('New category', { exact: true }).selectOption({ index: 3 });
      await page.getByText('read so far will move').waitFor();
    },
  })),
  'category-rule': sceneAt('/transactions', async (service) => ({
    owner: await linkedOwner(service),
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
  'transactions-empty': sceneAt('/transactions', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No bank account is linked yet').waitFor(),
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
