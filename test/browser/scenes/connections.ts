import assert from 'node:assert/strict';
import { updateConnection } from '../../../src/storage/connections.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import type { Json } from '../../support/v2-client.ts';
import { changeAnswers } from '../changed-answers.ts';
import { linkedOwner, withdrawnOwner } from '../lives.ts';
import { household } from './household.ts';
import { type Scenes, sceneAt } from './scene.ts';

const TOO_MANY = {
  status: 429,
  headers: { 'retry-after': '100' },
  json: { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: '', param: null } },
};

export const CONNECTIONS_SCENES: Scenes = {
  'connections-empty': sceneAt('/connections', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No bank is linked yet').waitFor(),
  })),
  connections: sceneAt('/connections', async (service) => ({
    owner: await household(service),
    path: '/connections?link_session=completed',
    ready: (page) => page.getByText('Expires in 12 days').waitFor(),
  })),
  'connections-menu': sceneAt('/connections', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
  })),
  'connection-refreshed': sceneAt('/connections', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      const first = page.getByRole('article').first();
      await first.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Refresh' }).click();
      // The bank is read by the first visit alone.
      await first.getByText(/read again just now|can be asked again/).waitFor();
    },
  })),
  'too-many-requests': sceneAt('/connections', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page.getByText('Expires in 12 days').waitFor();
      await page.route('**/v2/connections/*/refresh', (route) => route.fulfill(TOO_MANY));
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Refresh' }).click();
      await page
        .getByText(/^Too many requests/)
        .first()
        .waitFor();
    },
  })),
  'connection-delete': sceneAt('/connections', async (service) => ({
    owner: await household(service),
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText('stop the sync').waitFor();
    },
  })),
  'connection-new': sceneAt('/connections/new', async (service) => ({
    owner: await service.owner(),
    ready: (page) =>
      page
        .getByRole('button', { name: /Data Holder/ })
        .first()
        .waitFor(),
  })),
  'connection-new-ways': sceneAt('/connections/new', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      // No two simulated providers list one bank.
      await changeAnswers(page, '**/v2/institutions*', (body) => {
        const list = JSON.parse(body);
        const [bank] = list.data.filter(
          ({ available, provider }: Json) => available && provider === 'au_banking',
        );
        const twin = { ...bank, id: 'inst_up_up', provider: 'up_bank' };
        return JSON.stringify({
          ...list,
          data: [bank, twin, ...list.data.filter(({ id }: Json) => id !== bank.id).slice(0, 3)],
        });
      });
      await page.reload();
      await page.getByRole('button', { name: /2 ways to link it/ }).click();
      await page.getByRole('button', { name: /Up’s own API/ }).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    },
  })),
  'connection-new-availability': sceneAt('/connections/new', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('bank (sandbox)');
      await page.getByRole('button', { name: /Dark Harbour Bank.*Outage now/ }).waitFor();
      await page.getByRole('button', { name: /Members Only Bank.*Not offered/ }).waitFor();
    },
  })),
  'connection-withdrawn': sceneAt('/connections/:id', async (service) => {
    const owner = await withdrawnOwner(service, 'Changed my mind');
    return {
      owner,
      path: `/connections/${owner.connection.id}`,
      ready: (page) => page.getByText('Changed my mind').waitFor(),
    };
  }),
  connection: sceneAt('/connections/:id', async (service) => {
    const owner = await linkedOwner(service);
    return {
      owner,
      path: `/connections/${owner.connection.id}`,
      ready: (page) => page.getByText('Granted').waitFor(),
    };
  }),
  'connection-other-bank': sceneAt('/connections/:id', async (service) => {
    const owner = await linkedOwner(service);
    const { id } = owner.connection;
    const row = parsePublicId('connection', id) ?? assert.fail(id);
    await updateConnection(service.app.database.db, owner.record.id, row, {
      chosen_institution_id: '88888',
      chosen_institution_name: 'Banking Sandbox Data Holder',
    });
    return {
      owner,
      path: `/connections/${id}`,
      ready: (page) => page.getByRole('button', { name: /^Link Banking/ }).waitFor(),
    };
  }),
  account: sceneAt('/accounts/:id', async (service) => {
    const owner = await linkedOwner(service);
    const account = (await owner.v2('GET', '/v2/accounts')).body.data[0];
    return {
      owner,
      path: `/accounts/${account.id}`,
      whole: true,
      ready: async (page) => {
        await page.getByRole('slider').waitFor();
        await page.getByRole('group', { name: 'Money in and out by month' }).waitFor();
        await page.getByText('Product').waitFor();
      },
    };
  }),
  'account-loan': sceneAt('/accounts/:id', async (service) => {
    const owner = await linkedOwner(service, { customer: 'mortgage-offset' });
    const { data } = (await owner.v2('GET', '/v2/accounts')).body;
    const account = data.find(({ type }: { type: string }) => type === 'loan');
    return {
      owner,
      path: `/accounts/${account.id}`,
      whole: true,
      ready: async (page) => {
        await page.getByText('Interest you pay').waitFor();
        await page.getByRole('slider').waitFor();
      },
    };
  }),
  'account-missing': sceneAt('/accounts/:id', async (service) => ({
    owner: await service.owner(),
    path: '/accounts/acct_nothing',
    ready: (page) => page.getByText('What this means').waitFor(),
  })),
  'connection-missing': sceneAt('/connections/:id', async (service) => ({
    owner: await service.owner(),
    path: '/connections/conn_nothing',
    ready: (page) => page.getByText('What this means').waitFor(),
  })),
};
