import { investor, linkAnother, linkedOwner } from '../lives.ts';
import { household } from './household.ts';
import type { Scenes } from './scene.ts';

export const HOME_SCENES: Scenes = {
  'home-empty': async (service) => ({
    owner: await service.owner(),
    path: '/',
    ready: (page) => page.getByText('Welcome to Tributary').waitFor(),
  }),
  home: async (service) => ({
    owner: await household(service),
    path: '/',
    ready: async (page) => {
      await page.getByText('Net position').first().waitFor();
      await page.getByText('rows added').waitFor();
      await page.getByRole('slider').waitFor();
    },
  }),
  'home-spending': async (service) => ({
    owner: await household(service),
    path: '/',
    ready: async (page) => {
      await page.getByRole('slider').waitFor();
      await page.getByText('Show as a table').click();
      await page
        .getByRole('heading', { name: 'Over time', exact: true })
        .evaluate('(title) => title.scrollIntoView()');
    },
  }),
  'home-investments': async (service) => {
    const owner = await investor(service, 'self-directed');
    await linkAnother(owner, { customer: 'foreign-currency' });
    return {
      owner,
      path: '/',
      ready: async (page) => {
        await page.getByText('Net position with investments').first().waitFor();
        await page.getByRole('slider').waitFor();
      },
    };
  },
  'home-currencies': async (service) => {
    const owner = await linkedOwner(service, { customer: 'foreign-currency' });
    await linkAnother(owner, { customer: 'dormant' });
    return {
      owner,
      path: '/',
      ready: async (page) => {
        await page.getByRole('slider').waitFor();
        await page.getByRole('button', { name: 'JPY' }).click();
        await page
          .getByRole('heading', { name: 'Over time', exact: true })
          .evaluate('(title) => title.scrollIntoView()');
      },
    };
  },
};
