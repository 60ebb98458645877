import { answering, draftAt, putInto, runOnce, spreadsheet, webhookWithRun } from '../destination-lives.ts';
import { linkedOwner } from '../lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

/** A webhook that refused a delivery, accepted the next, and lists both. */
async function deliveries(service: Parameters<Scenes[string]>[0]) {
  const owner = await linkedOwner(service);
  const receiver = await answering({ status: 422, body: 'The field amount is missing.' });
  const { webhook, sync } = await webhookWithRun(owner, receiver, [owner.connection.accounts[0].id]);
  receiver.answer = { status: 204, body: '' };
  await runOnce(owner, sync);
  return { owner, webhook };
}

export const DESTINATIONS_SCENES: Scenes = {
  'destinations-empty': sceneAt('/destinations', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No destination yet').waitFor(),
  })),
  destinations: sceneAt('/destinations', async (service) => {
    const owner = await linkedOwner(service);
    const receiver = await answering({ status: 410, body: '' });
    await webhookWithRun(owner, receiver, [owner.connection.accounts[0].id]);
    await spreadsheet(owner, 'Household 2026');
    await draftAt(owner, 'notion');
    await putInto(service, await draftAt(owner, 'ynab'), 'reauth_required');
    return {
      owner,
      ready: (page) => page.getByText('Written to by Household ledger').waitFor(),
    };
  }),
  'destination-new': sceneAt('/destinations/new', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('A table in Airtable').waitFor(),
  })),
  'destination-new-sheets': sceneAt('/destinations/new', async (service) => ({
    owner: await service.owner(),
    path: '/destinations/new?type=sheets&destination_link=failed&reason=access_denied',
    ready: (page) => page.getByRole('button', { name: 'Continue to Google Sheets' }).waitFor(),
  })),
  'destination-new-postgres': sceneAt('/destinations/new', async (service) => ({
    owner: await service.owner(),
    path: '/destinations/new?type=postgres',
    ready: (page) => page.getByLabel('Connection address').waitFor(),
  })),
  'destination-new-actual': sceneAt('/destinations/new', async (service) => ({
    owner: await service.owner(),
    path: '/destinations/new?type=actual',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('Fill this in.').waitFor();
    },
  })),
  'destination-webhook-created': sceneAt('/destinations/new', async (service) => ({
    owner: await service.owner(),
    path: '/destinations/new?type=webhook',
    ready: async (page) => {
      await page.getByLabel('Name').fill('Ledger service');
      await page.getByLabel('Address').fill((await answering({ status: 204, body: '' })).url);
      await page.getByRole('button', { name: 'Create the webhook' }).click();
      await page.getByText('How to verify, with examples').waitFor();
    },
  })),
  'destination-draft': sceneAt('/destinations/:id', async (service) => {
    const owner = await service.owner();
    const { id } = await draftAt(owner, 'sheets');
    return {
      owner,
      path: `/destinations/${id}?destination_link=completed`,
      ready: (page) => page.getByRole('button', { name: 'Make the spreadsheet' }).waitFor(),
    };
  }),
  'destination-existing': sceneAt('/destinations/:id', async (service) => {
    const owner = await service.owner();
    for (const year of [2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026]) {
      await spreadsheet(owner, `Household ${year}`);
    }
    const { id } = await draftAt(owner, 'sheets');
    return {
      owner,
      path: `/destinations/${id}`,
      ready: async (page) => {
        await page.getByRole('radio', { name: /that is there already/ }).check();
        await page.getByRole('button', { name: 'Household 2024' }).waitFor();
      },
    };
  }),
  destination: sceneAt('/destinations/:id', async (service) => {
    const owner = await service.owner();
    const { id } = await spreadsheet(owner, 'Household 2026');
    return {
      owner,
      path: `/destinations/${id}`,
      ready: (page) => page.getByText('Open in Google Sheets').waitFor(),
    };
  }),
  'destination-deliveries': sceneAt('/destinations/:id', async (service) => {
    const { owner, webhook } = await deliveries(service);
    return {
      owner,
      path: `/destinations/${webhook.id}`,
      ready: async (page) => {
        await page.getByText('Show attempts').last().click();
        await page.getByText('The field amount is missing.').waitFor();
      },
    };
  }),
  'destination-replay': sceneAt('/destinations/:id', async (service) => {
    const { owner, webhook } = await deliveries(service);
    return {
      owner,
      path: `/destinations/${webhook.id}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Send days again' }).click();
        await page.getByLabel('First day').waitFor();
      },
    };
  }),
  'destination-disabled': sceneAt('/destinations/:id', async (service) => {
    const owner = await linkedOwner(service);
    const receiver = await answering({ status: 410, body: '' });
    const { webhook } = await webhookWithRun(owner, receiver, [owner.connection.accounts[0].id]);
    return {
      owner,
      path: `/destinations/${webhook.id}`,
      ready: (page) => page.getByText('410 Gone').waitFor(),
    };
  }),
  'destination-delete': sceneAt('/destinations/:id', async (service) => {
    const { owner, webhook } = await deliveries(service);
    return {
      owner,
      path: `/destinations/${webhook.id}`,
      ready: async (page) => {
        await page.getByText('Household ledger').first().waitFor();
        await page.getByRole('button', { name: /^Actions for/ }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByText('delete the sync Household ledger').waitFor();
      },
    };
  }),
  'destination-missing': sceneAt('/destinations/:id', async (service) => ({
    owner: await service.owner(),
    path: '/destinations/dest_nothing',
    ready: (page) => page.getByText('What this means').waitFor(),
  })),
};
