import { household } from './household.ts';
import { type Scenes, sceneAt } from './scene.ts';

/** Opens the palette as its button does, whatever the width. */
export const PALETTE_SCENES: Scenes = {
  palette: sceneAt('/syncs', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('option', { name: /^Home/ }).waitFor();
    },
  })),
  keys: sceneAt('/syncs', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox', { name: 'Search everything' }).fill('keyboard');
      await page.getByRole('option', { name: /^Show keyboard shortcuts/ }).click();
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    },
  })),
  'palette-found': sceneAt('/syncs', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox', { name: 'Search everything' }).fill('acc');
      await page
        .getByRole('option', { name: /Account$/ })
        .first()
        .waitFor();
    },
  })),
};
