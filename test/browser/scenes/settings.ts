import { sql } from 'kysely';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, joinRecord } from '../../support/people.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import type { TestService } from '../../support/service.ts';
import { letIn, signIn } from '../../surfaces/oauth/stage.ts';
import { linkedOwner } from '../lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

/** Someone who is an operator, and has a bank. */
async function operator(service: TestService) {
  const owner = await linkedOwner(service);
  return { owner, as: await addPerson(service, owner, { operator: true }) };
}

const SCENES: Scenes = {
  settings: sceneAt('/settings', async (service) => {
    const [owner, other] = [await linkedOwner(service), await service.owner()];
    const as = await addPerson(service, owner);
    const { id } = other.record;
    await sql`insert into memberships (account_record, user_id, role, created, updated)
      values (${id}, ${as.id}, 'reader', now(), now())`.execute(service.app.database.db);
    return { owner, as, ready: (page) => page.getByText('Delete everything…').waitFor() };
  }),
  'settings-accounts': sceneAt('/settings/accounts', async (service) => {
    const [owner, other] = [await linkedOwner(service), await service.owner()];
    const as = await addPerson(service, owner);
    await joinRecord(service, other, as);
    return { owner, as, ready: (page) => page.getByText('This browser shows this').waitFor() };
  }),
  'settings-reader': sceneAt('/settings', async (service) => {
    const owner = await service.owner();
    const as = await addPerson(service, owner, { role: 'reader' });
    return { owner, as, ready: (page) => page.getByText('Export your data').waitFor() };
  }),
  'settings-delete': sceneAt('/settings/delete', async (service) => ({
    owner: await linkedOwner(service),
    ready: (page) => page.getByText('What stays').waitFor(),
  })),
  'settings-refused': sceneAt('/settings/delete', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByRole('textbox').fill('something else');
      await page.getByRole('button', { name: 'Delete everything for good' }).click();
      await page.getByRole('alert').waitFor();
    },
  })),
  'settings-security': sceneAt('/settings/security', async (service) => {
    const owner = await service.owner();
    await letIn(service, await signIn(service, owner), { resource: `${service.app.config.publicUrl}/v2` });
    await addPerson(service, owner, { role: 'reader' });
    await service.app.signIn.invitations.create(owner.record.id, {
      email: 'a-rather-long-address-of-somebody@household.example.test',
      role: 'reader',
      by: null,
    });
    return { owner, ready: (page) => page.getByText('Invitations').waitFor() };
  }),
  'settings-remove-member': sceneAt('/settings/security/remove-member', async (service) => {
    const owner = await service.owner();
    const { id } = await addPerson(service, owner, { role: 'reader' });
    return {
      owner,
      path: `/settings/security/remove-member?member=${publicId('user', id)}`,
      ready: (page) => page.getByRole('button', { name: /Remove/ }).waitFor(),
    };
  }),
  'settings-notifications': sceneAt('/settings/notifications', async (service) => {
    const owner = await service.owner();
    const as = await addPerson(service, owner);
    const { notificationSettings, pushService } = service.app.notifying;
    const member = { owner: owner.record.id, user: as.id };
    const money = { amount: 50_000, currency: 'aud' };
    await notificationSettings.addThreshold(member, { sync: null, money });
    const keys = { p256dh: await pushService.publicKey(), auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
    const endpoint = 'https://push.example.test/one';
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await notificationSettings.addDevice(member, { endpoint, keys }, firefox);
    return { owner, as, ready: (page) => page.getByText('Firefox on Linux').waitFor() };
  }),
  'settings-activity': sceneAt('/settings/activity', async (service) => {
    const owner = await service.owner();
    const as = await addPerson(service, owner);
    await owner.v2('POST', '/v2/api_keys', { name: 'Household books', scopes: ['data:read'] });
    return { owner, as, ready: (page) => page.getByText('An API key was created').waitFor() };
  }),
  'settings-second-factor': sceneAt('/settings/security/second-factor', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByRole('img', { name: /QR code/ }).waitFor(),
  })),
  'settings-email-unproved': sceneAt('/settings/confirm-email', async (service) => ({
    owner: await service.owner(),
    path: '/settings/confirm-email?token=nothing',
    ready: (page) => page.getByText('This link does not work any more').waitFor(),
  })),
  operator: sceneAt('/settings/operator', async (service) => ({
    ...(await operator(service)),
    ready: (page) => page.getByText('Account records').first().waitFor(),
  })),
  'operator-account': sceneAt('/settings/operator/account', async (service) => {
    const somebody = await operator(service);
    const account = publicId('account_record', somebody.owner.record.id);
    return {
      ...somebody,
      path: `/settings/operator/account?account=${account}`,
      ready: (page) => page.getByRole('button', { name: 'Save' }).waitFor(),
    };
  }),
  'operator-health': sceneAt('/settings/operator/health', async (service) => ({
    ...(await operator(service)),
    ready: (page) => page.getByText('database clock').waitFor(),
  })),
  'operator-sandbox': sceneAt('/settings/operator/sandbox', async (service) => {
    sandboxBank(service.app).addFault({ route: 'POST /never', kind: 'hang', count: 2 });
    return { ...(await operator(service)), ready: (page) => page.getByText('hang at').waitFor() };
  }),
};

/** Long pages of one column, so their pictures show all of it. */
export const SETTINGS_SCENES: Scenes = Object.fromEntries(
  Object.entries(SCENES).map(([name, scene]) => [
    name,
    sceneAt(scene.route, async (service) => ({ ...(await scene(service)), whole: true })),
  ]),
);
