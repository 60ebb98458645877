import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import { Browser } from '../../features/linking/browser.ts';
import { consentAtBank, openCallback, RETURN_URL } from '../../features/linking/person.ts';
import { addPerson } from '../../support/people.ts';
import { newVerifier, register, request } from '../../surfaces/oauth/stage.ts';
import { type Scenes, sceneAt } from './scene.ts';

const nobody = 'signed-out' as const;

/** The pages that work without script, for people who are signed out. */
export const HOSTED_SCENES: Scenes = {
  status: sceneAt('/status', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByRole('status').waitFor(),
  })),
  'sign-in': sceneAt('/sign-in', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  })),
  'sign-in-refused': sceneAt('/sign-in', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: async (page) => {
      await page.getByLabel('E-mail address').fill('nobody@example.test');
      await page.getByLabel('Password').fill('not this one');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
  })),
  'sign-out': sceneAt('/sign-out', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByRole('button').first().waitFor(),
  })),
  'forgot-password': sceneAt('/forgot-password', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  })),
  'reset-password': sceneAt('/reset-password/:token', async (service) => {
    const owner = await service.owner();
    const { secret } = await service.app.signIn.passwordResets.issue((await addPerson(service, owner)).email);
    return {
      owner,
      as: nobody,
      path: `/reset-password/${secret}`,
      ready: (page) => page.getByRole('button').first().waitFor(),
    };
  }),
  invitation: sceneAt('/invitations/:token', async (service) => {
    const owner = await service.owner();
    const { secret } = await service.app.signIn.invitations.create(owner.record.id, {
      email: 'guest@example.test',
      role: 'reader',
      by: null,
    });
    return {
      owner,
      as: nobody,
      path: `/invitations/${secret}`,
      ready: (page) => page.getByRole('button').first().waitFor(),
    };
  }),
  unsubscribe: sceneAt('/unsubscribe/:token', async (service) => {
    const owner = await service.owner();
    const { id } = await addPerson(service, owner);
    const address = service.app.notifying.unsubscribeLinks.address(id, 'sync_attention');
    return {
      owner,
      as: nobody,
      path: new URL(address).pathname,
      ready: (page) => page.getByRole('button').first().waitFor(),
    };
  }),
  'invitation-unknown': sceneAt('/invitations/:token', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/invitations/nothing',
    ready: (page) => page.getByText('This link does not work').waitFor(),
  })),
  'account-deleted': sceneAt('/settings/deleted', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByText('is being deleted').waitFor(),
  })),
  'oauth-consent': sceneAt('/oauth/consent/:request', async (service) => {
    const { body } = await register(service);
    const { challenge } = newVerifier();
    return {
      owner: await service.owner(),
      path: request(body.client_id, challenge, { resource: `${service.app.config.publicUrl}/v2` }),
      ready: (page) => page.getByRole('button', { name: 'Allow' }).waitFor(),
    };
  }),
  'other-bank': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'nz_banking',
      chosen_institution: `inst_ak_${connectionId('rimu', false)}`,
      return_url: RETURN_URL,
    });
    const bank = { customer: 'three-banks+other', institution: connectionId('harakeke', false) };
    const person = new Browser();
    await openCallback(await consentAtBank(body.url, bank, person), person);
    return {
      owner,
      as: nobody,
      path: new URL(body.url).pathname,
      ready: (page) => page.getByText('You linked Harakeke Bank').first().waitFor(),
    };
  }),
  offline: sceneAt('/offline', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByRole('link', { name: 'Try again' }).waitFor(),
  })),
  docs: sceneAt('/docs', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByText(/^\d+ operations/).waitFor(),
  })),
  'docs-signed-in': sceneAt('/docs', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText(/^\d+ operations/).waitFor(),
  })),
  'docs-operation': sceneAt('/docs/operations/:id', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/docs/operations/create_sync',
    ready: (page) => page.getByRole('heading', { name: 'Errors' }).waitFor(),
  })),
  'docs-missing': sceneAt('/docs/:page', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/docs/nothing',
    ready: (page) => page.getByText('Page not found').waitFor(),
  })),
  guides: sceneAt('/docs/guides', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    ready: (page) => page.getByRole('searchbox').waitFor(),
  })),
  'guides-found': sceneAt('/docs/guides', async (service) => ({
    owner: await service.owner(),
    path: '/docs/guides?q=receiv',
    ready: (page) => page.getByText('in the title').waitFor(),
  })),
  'guide-decision': sceneAt('/docs/decisions/:page', async (service) => ({
    owner: await service.owner(),
    path: '/docs/decisions/0032-web-application',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  })),
  'guide-console': sceneAt('/docs/consoles/:page', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/docs/consoles/google',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  })),
  'guide-limits': sceneAt('/docs/:page', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/docs/your-data',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  })),
};
