import assert from 'node:assert/strict';
import { addPerson } from '../../support/people.ts';
import type { TestService } from '../../support/service.ts';
import { type Scenes, sceneAt } from './scene.ts';

/** There is a link for the first person only until someone signs in, so these are the first scenes of a service. */
async function firstLink({ app }: TestService): Promise<string> {
  return `/first-run/${(await app.signIn.firstRun.issue()) ?? assert.fail('somebody has signed in already')}`;
}

export const FIRST_RUN_SCENES: Scenes = {
  'first-run-awaited': sceneAt('/', async (service) => ({
    owner: await service.owner(),
    as: 'signed-out',
    ready: (page) => page.getByText('No one can sign in yet').waitFor(),
  })),
  'first-run': sceneAt('/first-run/:token', async (service) => ({
    owner: await service.owner(),
    as: 'signed-out',
    path: await firstLink(service),
    ready: (page) => page.getByRole('button', { name: 'Start' }).waitFor(),
  })),
  'first-run-refused': sceneAt('/first-run/:token', async (service) => ({
    owner: await service.owner(),
    as: 'signed-out',
    path: await firstLink(service),
    ready: async (page) => {
      await page.getByLabel('Your e-mail address').fill('first@example.test');
      await page.getByLabel('Choose a password').fill('first@example.test');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('alert').waitFor();
    },
  })),
  'first-run-used': sceneAt('/first-run/:token', async (service) => {
    const [owner, path] = [await service.owner(), await firstLink(service)];
    await addPerson(service, owner);
    return {
      owner,
      as: 'signed-out',
      path,
      ready: (page) => page.getByText('This link does not work').waitFor(),
    };
  }),
};
