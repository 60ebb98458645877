import { startLink } from '../../connectors/destinations/support/linked.ts';
import { startSession, visit } from '../../features/linking/person.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { type Scenes, sceneAt } from './scene.ts';

const nobody = 'signed-out' as const;

/** The pages that people see when linking a bank or a destination, on the way there and back. */
export const LINKS_SCENES: Scenes = {
  'link-bank': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    const path = new URL((await startSession(owner)).url).pathname;
    return { owner, as: nobody, path, ready: (page) => page.getByRole('button').first().waitFor() };
  }),
  'link-bank-own': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    await owner.v2('POST', '/v2/me', { name: 'Elm Street' });
    const rimu = await owner.v2('GET', '/v2/institutions?provider=nz_banking&q=rimu');
    const session = await startSession(owner, {
      provider: 'nz_banking',
      institution: undefined,
      chosen_institution: rimu.body.data.find(({ available }: { available: boolean }) => available).id,
    });
    const path = new URL(session.url).pathname;
    return { owner, path, ready: (page) => page.getByText('choose it there').waitFor() };
  }),
  'link-destination': sceneAt('/connect/:token', async (service) => {
    const owner = await service.owner();
    const path = new URL((await startLink(owner)).url).pathname;
    return { owner, as: nobody, path, ready: (page) => page.getByRole('button').first().waitFor() };
  }),
  'link-other-browser': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    const path = `${new URL((await startSession(owner)).url).pathname}?notice=other_browser`;
    return { owner, as: nobody, path, ready: (page) => page.getByRole('alert').waitFor() };
  }),
  'link-again': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    const { url } = await startSession(owner);
    await visit(url, 'POST');
    return {
      owner,
      as: nobody,
      path: new URL(url).pathname,
      ready: (page) => page.getByRole('button', { name: 'Start again at Fiskil' }).waitFor(),
    };
  }),
  'link-ended': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    const { url } = await startSession(owner);
    await visit(`${url}/cancel`, 'POST');
    return {
      owner,
      as: nobody,
      path: new URL(url).pathname,
      ready: (page) => page.getByRole('link', { name: 'Go back' }).waitFor(),
    };
  }),
  'link-missing': sceneAt('/link/:token', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/link/nothing',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  })),
  linked: sceneAt('/', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/?link_session=completed',
    ready: (page) => page.getByText('Your bank or broker is linked').waitFor(),
  })),
  'not-linked': sceneAt('/', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/?destination_link=failed&reason=access_denied',
    ready: (page) => page.getByText('was not linked').waitFor(),
  })),
  'link-retry': sceneAt('/link/:token', async (service) => {
    const owner = await service.owner();
    const path = new URL((await startSession(owner)).url).pathname;
    const bank = sandboxBank(service.app);
    return {
      owner,
      as: nobody,
      path,
      ready: async (page) => {
        const fault = bank.addFault({ route: 'POST /v1/auth/session', kind: 'unavailable', count: 9 });
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('That did not work yet').waitFor();
        bank.removeFault(fault);
      },
    };
  }),
  'link-return-unknown': sceneAt('/connect/return', async (service) => ({
    owner: await service.owner(),
    as: nobody,
    path: '/connect/return?state=nothing',
    ready: (page) => page.getByText('This link does not work').waitFor(),
  })),
  'link-destination-replaced': sceneAt('/connect/:token', async (service) => {
    const owner = await service.owner();
    const path = `${new URL((await startLink(owner, { type: 'notion' })).url).pathname}?notice=replaced`;
    return { owner, as: nobody, path, ready: (page) => page.getByRole('alert').waitFor() };
  }),
  'link-destination-ended': sceneAt('/connect/:token', async (service) => {
    const owner = await service.owner();
    const { url } = await startLink(owner);
    await visit(`${url}/cancel`, 'POST');
    return {
      owner,
      as: nobody,
      path: new URL(url).pathname,
      ready: (page) => page.getByRole('link', { name: 'Go back' }).waitFor(),
    };
  }),
};
