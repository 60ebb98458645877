import { draftAt } from '../destination-lives.ts';
import { linkedOwner } from '../lives.ts';
import { sheetWithRun } from '../sync-lives.ts';
import { oncePerService } from './once-per-service.ts';
import { type Scenes, sceneAt } from './scene.ts';

/** Someone at the end of the tour, and the spreadsheet that it made. */
const toured = oncePerService(async (service) => {
  const owner = await linkedOwner(service);
  const accounts = owner.connection.accounts.map(({ id }: { id: string }) => id);
  const more = { options: { custom_categories: true } };
  const { sheet } = await sheetWithRun(owner, accounts, { name: 'Sandbox bank to a spreadsheet', more });
  return { owner, sheet };
});

export const WELCOME_SCENES: Scenes = {
  welcome: sceneAt('/welcome', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByRole('button', { name: /^Link .*Sandbox/ }).waitFor(),
  })),
  'welcome-linked': sceneAt('/welcome', async (service) => ({
    owner: await linkedOwner(service),
    ready: (page) => page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).waitFor(),
  })),
  'welcome-denied': sceneAt('/welcome', async (service) => ({
    owner: await linkedOwner(service),
    path: '/welcome?destination_link=failed&reason=access_denied',
    ready: (page) => page.getByRole('alert').waitFor(),
  })),
  'welcome-connected': sceneAt('/welcome', async (service) => {
    const owner = await linkedOwner(service);
    await draftAt(owner, 'sheets');
    return {
      owner,
      ready: (page) => page.getByRole('button', { name: 'Make the spreadsheet and copy' }).waitFor(),
    };
  }),
  'welcome-copied': sceneAt('/welcome', async (service) => ({
    owner: (await toured(service)).owner,
    ready: async (page) => {
      await page.getByRole('link', { name: 'Open the spreadsheet' }).and(page.locator('[href]')).waitFor();
      await page.getByRole('link', { name: 'See balances and spending' }).waitFor();
    },
  })),
  'welcome-spreadsheet': sceneAt('/sandbox/sheets/spreadsheets/*', async (service) => {
    const { owner, sheet } = await toured(service);
    return {
      owner,
      as: 'signed-out',
      path: `/sandbox/sheets/spreadsheets/d/${sheet.target.spreadsheet_id}/edit`,
      ready: (page) => page.locator('table.cells').waitFor(),
    };
  }),
  'welcome-home': sceneAt('/', async (service) => ({
    owner: (await toured(service)).owner,
    whole: true,
    ready: async (page) => {
      await page.getByRole('slider').waitFor();
      await page
        .getByRole('button', { name: /^What .* is made of/ })
        .first()
        .waitFor();
    },
  })),
};
