import { draftAt } from '../destination-lives.ts';
import { debtor, failedSync, investor, linkAnother, linkedOwner } from '../lives.ts';
import { household } from './household.ts';
import { type Scenes, sceneAt } from './scene.ts';

export const HOME_SCENES: Scenes = {
  'home-empty': sceneAt('/', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('Welcome to Tributary').waitFor(),
  })),
  home: sceneAt('/', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page
        .getByText(/Nothing new|rows added/)
        .first()
        .waitFor();
      await page.getByRole('slider').waitFor();
    },
  })),
  'home-needs': sceneAt('/', async (service) => {
    const owner = await debtor(service);
    await failedSync(owner, [(await owner.v2('GET', '/v2/accounts')).body.data[0].id]);
    for (let at = 0; at < 5; at++) await draftAt(owner, 'ynab');
    return {
      owner,
      ready: async (page) => {
        await page.getByRole('button', { name: 'I owe this' }).waitFor();
        await page.getByText('Not counted yet').waitFor();
      },
    };
  }),
  'home-spending': sceneAt('/', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page.getByRole('slider').waitFor();
      await page.getByRole('button', { name: 'Earlier month' }).click();
      await page
        .getByRole('button', { name: /^What .* is made of/ })
        .first()
        .click();
      await page
        .getByRole('region', { name: 'Spending', exact: true })
        .evaluate('(card) => card.scrollIntoView()');
    },
  })),
  'home-tables': sceneAt('/', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page.getByRole('slider').waitFor();
      for (const shown of await page.getByText('Show as a table').all()) await shown.click();
    },
  })),
  'home-investments': sceneAt('/', async (service) => {
    const owner = await investor(service, 'self-directed');
    await linkAnother(owner, { customer: 'foreign-currency' });
    return {
      owner,
      ready: async (page) => {
        await page.getByText('With investments at what they are worth now').waitFor();
        await page.getByRole('heading', { name: 'Allocation' }).waitFor();
      },
    };
  }),
  'home-currencies': sceneAt('/', async (service) => {
    const owner = await linkedOwner(service, { customer: 'foreign-currency' });
    await linkAnother(owner, { customer: 'dormant' });
    return {
      owner,
      ready: async (page) => {
        await page.getByRole('slider').waitFor();
        await page.getByRole('button', { name: 'JPY' }).click();
        await page.getByText('Net worth · JPY').waitFor();
      },
    };
  }),
};
