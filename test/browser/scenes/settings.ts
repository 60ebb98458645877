import { sql } from 'kysely';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson } from '../../support/people.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import { letIn, signIn } from '../../surfaces/oauth/stage.ts';
import { linkedOwner } from '../lives.ts';
import type { Scenes } from './scene.ts';

/** Somebody who looks after the installation. */
async function operatorAt(service: TestService, path: (owner: TestOwner) => string) {
  const owner = await linkedOwner(service);
  return { owner, as: await addPerson(service, owner, { operator: true }), path: path(owner) };
}

const SCENES: Scenes = {
  settings: async (service) => {
    const [owner, other] = [await linkedOwner(service), await service.owner()];
    const as = await addPerson(service, owner);
    const { id } = other.record;
    await sql`insert into memberships (account_record, user_id, role, created, updated)
      values (${id}, ${as.id}, 'reader', now(), now())`.execute(service.app.database.db);
    return { owner, as, path: '/settings', ready: (page) => page.getByText('Delete everything…').waitFor() };
  },
  'settings-reader': async (service) => {
    const owner = await service.owner();
    const as = await addPerson(service, owner, { role: 'reader' });
    return { owner, as, path: '/settings', ready: (page) => page.getByText('Export your data').waitFor() };
  },
  'settings-delete': async (service) => ({
    owner: await linkedOwner(service),
    path: '/settings/delete',
    ready: (page) => page.getByText('What stays').waitFor(),
  }),
  'settings-refused': async (service) => ({
    owner: await service.owner(),
    path: '/settings/delete',
    ready: async (page) => {
      await page.getByRole('textbox').fill('something else');
      await page.getByRole('button', { name: 'Delete everything for good' }).click();
      await page.getByRole('alert').waitFor();
    },
  }),
  'settings-security': async (service) => {
    const owner = await service.owner();
    await letIn(service, await signIn(service, owner), { resource: `${service.app.config.publicUrl}/v2` });
    await addPerson(service, owner, { role: 'reader' });
    await service.app.signIn.invitations.create(owner.record.id, {
      email: 'a-rather-long-address-of-somebody@household.example.test',
      role: 'reader',
      by: null,
    });
    return { owner, path: '/settings/security', ready: (page) => page.getByText('Invitations').waitFor() };
  },
  operator: async (service) => ({
    ...(await operatorAt(service, () => '/settings/operator')),
    ready: (page) => page.getByText('Account records').first().waitFor(),
  }),
  'operator-account': async (service) => ({
    ...(await operatorAt(
      service,
      ({ record }) => `/settings/operator/account?account=${publicId('account_record', record.id)}`,
    )),
    ready: (page) => page.getByRole('button', { name: 'Save' }).waitFor(),
  }),
  'operator-health': async (service) => ({
    ...(await operatorAt(service, () => '/settings/operator/health')),
    ready: (page) => page.getByText('database clock').waitFor(),
  }),
  'operator-sandbox': async (service) => {
    sandboxBank(service.app).addFault({ route: 'POST /never', kind: 'hang', count: 2 });
    return {
      ...(await operatorAt(service, () => '/settings/operator/sandbox')),
      ready: (page) => page.getByText('hang at').waitFor(),
    };
  },
};

/** Long pages of one column, so their pictures show all of it. */
export const SETTINGS_SCENES: Scenes = Object.fromEntries(
  Object.entries(SCENES).map(([name, scene]) => [
    name,
    async (service: TestService) => ({ ...(await scene(service)), whole: true }),
  ]),
);
