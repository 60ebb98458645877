import { type Scenes, sceneAt } from './scene.ts';

export const CATEGORIES_SCENES: Scenes = {
  categories: sceneAt('/categories', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('Groceries', { exact: true }).first().waitFor(),
  })),
  'categories-empty': sceneAt('/categories', async (service) => {
    const owner = await service.owner();
    const { body } = await owner.v2('GET', '/v2/categories?parent=none');
    for (const { id } of body.data) await owner.v2('DELETE', `/v2/categories/${id}?cascade=true`);
    return {
      owner,
      ready: (page) => page.getByText('You have no categories').waitFor(),
    };
  }),
  'category-edit': sceneAt('/categories', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Groceries' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog', { name: 'Edit Groceries' }).waitFor();
    },
  })),
  'category-codes': sceneAt('/categories', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Groceries' }).click();
      await page.getByRole('menuitem', { name: 'Choose codes' }).click();
      await page.getByRole('searchbox', { name: 'Search codes' }).fill('food');
      await page.getByRole('checkbox', { name: 'Coffee' }).check();
    },
  })),
  'category-delete': sceneAt('/categories', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Food' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText('This group contains 5 categories.').waitFor();
    },
  })),
};
