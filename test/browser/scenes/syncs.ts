import type { Page } from 'playwright-core';
import type { TestOwner } from '../../support/service.ts';
import { answering, spreadsheet, webhookWithRun } from '../destination-lives.ts';
import { linkedOwner } from '../lives.ts';
import { budget, severalSyncs, sheetWithRun } from '../sync-lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

/** A scene is photographed on a desk and on a phone. */
const VISITS = 2;

const next = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();

/** Chooses every account that is listed. */
export async function chooseAccounts(page: Page): Promise<void> {
  await page.getByText('accounts chosen').waitFor();
  for (const box of await page.getByRole('checkbox', { name: 'All accounts' }).all()) await box.check();
}

/** Goes from the first step to the one behind the destination. */
async function toPlaces(page: Page): Promise<void> {
  await next(page);
  await chooseAccounts(page);
  await next(page);
  await page.getByRole('radio').first().check();
  await next(page);
}

const idsOf = ({ connection }: Awaited<ReturnType<typeof linkedOwner>>): readonly string[] =>
  connection.accounts.map(({ id }: { id: string }) => id);

async function withSheet(owner: TestOwner): Promise<TestOwner> {
  await spreadsheet(owner, 'Our money');
  return owner;
}

export const SYNCS_SCENES: Scenes = {
  'syncs-empty': sceneAt('/syncs', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('Link a bank first').waitFor(),
  })),
  syncs: sceneAt('/syncs', async (service) => {
    const owner = await linkedOwner(service);
    await severalSyncs(owner, idsOf(owner));
    return { owner, ready: (page) => page.getByText('The last run failed').waitFor() };
  }),
  'syncs-undo': sceneAt('/syncs', async (service) => {
    const owner = await linkedOwner(service);
    await sheetWithRun(owner, idsOf(owner));
    return {
      owner,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Actions for Household' }).click();
        await page.getByRole('menuitem', { name: /Pause|Resume/ }).click();
        await page.getByRole('button', { name: 'Undo' }).focus();
      },
    };
  }),
  'sync-new': sceneAt('/syncs/new', async (service) => ({
    owner: await linkedOwner(service),
    ready: (page) => page.getByText('What should be copied?').first().waitFor(),
  })),
  'sync-new-accounts': sceneAt('/syncs/new', async (service) => ({
    owner: await linkedOwner(service),
    path: '/syncs/new?step=accounts',
    ready: (page) => page.getByText('accounts chosen').waitFor(),
  })),
  'sync-new-no-destination': sceneAt('/syncs/new', async (service) => ({
    owner: await linkedOwner(service),
    path: '/syncs/new?step=accounts',
    ready: async (page) => {
      await chooseAccounts(page);
      await next(page);
      await page.getByText('No destination can hold this yet').waitFor();
    },
  })),
  'sync-new-tabs': sceneAt('/syncs/new', async (service) => ({
    owner: await withSheet(await linkedOwner(service)),
    ready: async (page) => {
      await toPlaces(page);
      await page.getByRole('radio', { name: /A tab for each account/ }).check();
      await page
        .getByLabel(/^Tab for/)
        .first()
        .waitFor();
    },
  })),
  'sync-new-budget': sceneAt('/syncs/new', async (service) => {
    const owner = await linkedOwner(service);
    await budget(owner);
    return {
      owner,
      ready: async (page) => {
        await toPlaces(page);
        await page.getByLabel('Food & Drink', { exact: true }).waitFor();
        await page
          .getByLabel(/^Budget account for/)
          .first()
          .waitFor();
      },
    };
  }),
  'sync-new-rows': sceneAt('/syncs/new', async (service) => ({
    owner: await withSheet(await linkedOwner(service)),
    ready: async (page) => {
      await toPlaces(page);
      await next(page);
      await page.getByRole('radio', { name: /Choose and order columns/ }).check();
      await page.getByRole('button', { name: 'Move Date up' }).waitFor();
    },
  })),
  'sync-new-schedule': sceneAt('/syncs/new', async (service) => ({
    owner: await withSheet(await linkedOwner(service)),
    ready: async (page) => {
      await toPlaces(page);
      await next(page);
      await next(page);
      await page.getByRole('radio', { name: /At times of day/ }).check();
      await page.getByRole('button', { name: 'Add a time' }).click();
      await page.getByLabel('Time 2').waitFor();
    },
  })),
  'sync-new-review': sceneAt('/syncs/new', async (service) => {
    const owner = await linkedOwner(service);
    // Each visit saves a sync, and a destination takes one.
    for (let visit = 0; visit < VISITS; visit++) await spreadsheet(owner, `Our money ${visit + 1}`);
    return {
      owner,
      ready: async (page) => {
        await toPlaces(page);
        for (let step = 0; step < 3; step++) await next(page);
        await page.getByRole('button', { name: 'Show what would happen' }).click();
        await page.getByText('The sync is saved and paused').waitFor();
        await page.getByRole('list', { name: 'Rows' }).waitFor();
      },
    };
  }),
  sync: sceneAt('/syncs/:id', async (service) => {
    const owner = await linkedOwner(service);
    const { sync } = await sheetWithRun(owner, idsOf(owner));
    return {
      owner,
      path: `/syncs/${sync.id}`,
      ready: (page) => page.getByText('Succeeded', { exact: true }).last().waitFor(),
    };
  }),
  'sync-change-schedule': sceneAt('/syncs/:id', async (service) => {
    const owner = await linkedOwner(service);
    const { sync } = await sheetWithRun(owner, idsOf(owner));
    return {
      owner,
      path: `/syncs/${sync.id}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Change runs' }).click();
        await page.getByRole('dialog').getByText('When does it run?').waitFor();
      },
    };
  }),
  'sync-resync': sceneAt('/syncs/:id', async (service) => {
    const owner = await linkedOwner(service);
    const { sync } = await sheetWithRun(owner, idsOf(owner));
    return {
      owner,
      path: `/syncs/${sync.id}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Resync', exact: true }).click();
        await page.getByRole('dialog').waitFor();
      },
    };
  }),
  'sync-checks': sceneAt('/syncs/:id', async (service) => {
    const owner = await linkedOwner(service);
    const { sync } = await sheetWithRun(owner, idsOf(owner));
    return {
      owner,
      path: `/syncs/${sync.id}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Start the dry run' }).click();
        await page.getByText('The next run would change nothing').waitFor();
        await page.getByRole('button', { name: 'Start verifying' }).click();
        await page.getByText('The destination shows what the bank has').waitFor();
      },
    };
  }),
  'sync-missing': sceneAt('/syncs/:id', async (service) => ({
    owner: await service.owner(),
    path: '/syncs/sync_nothing',
    ready: (page) => page.getByText('What this means').waitFor(),
  })),
  'sync-run': sceneAt('/sync-runs/:id', async (service) => {
    const owner = await linkedOwner(service);
    const { run } = await sheetWithRun(owner, idsOf(owner));
    return {
      owner,
      path: `/sync-runs/${run.id}`,
      ready: async (page) => {
        await page.getByText('Delivered', { exact: true }).first().waitFor();
        await page.getByRole('link', { name: /^Open / }).waitFor();
      },
    };
  }),
  'sync-run-failed': sceneAt('/sync-runs/:id', async (service) => {
    const owner = await linkedOwner(service);
    const receiver = await answering({ status: 400, body: 'out of order' });
    const { sync } = await webhookWithRun(owner, receiver, idsOf(owner));
    const { body: runs } = await owner.v2('GET', `/v2/syncs/${sync.id}/runs`);
    return {
      owner,
      path: `/sync-runs/${runs.data[0].id}`,
      ready: async (page) => {
        await page.getByText('The run failed').waitFor();
        await page.getByRole('link', { name: 'Deliveries of this webhook' }).waitFor();
      },
    };
  }),
};
