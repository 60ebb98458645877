import type { Scenes } from './scene.ts';

export const CATEGORIES_SCENES: Scenes = {
  categories: async (service) => ({
    owner: await service.owner(),
    path: '/categories',
    ready: (page) => page.getByText('Groceries', { exact: true }).first().waitFor(),
  }),
  'categories-empty': async (service) => {
    const owner = await service.owner();
    const { body } = await owner.v2('GET', '/v2/categories?parent=none');
    for (const { id } of body.data) await owner.v2('DELETE', `/v2/categories/${id}?cascade=true`);
    return {
      owner,
      path: '/categories',
      ready: (page) => page.getByText('You have no categories').waitFor(),
    };
  },
  'category-edit': async (service) => ({
    owner: await service.owner(),
    path: '/categories',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Groceries' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog', { name: 'Edit Groceries' }).waitFor();
    },
  }),
  'category-codes': async (service) => ({
    owner: await service.owner(),
    path: '/categories',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Groceries' }).click();
      await page.getByRole('menuitem', { name: 'Choose codes' }).click();
      await page.getByRole('searchbox', { name: 'Search codes' }).fill('food');
      await page.getByRole('checkbox', { name: 'Coffee' }).check();
    },
  }),
  'category-delete': async (service) => ({
    owner: await service.owner(),
    path: '/categories',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Food' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText('This group contains 5 categories.').waitFor();
    },
  }),
};
