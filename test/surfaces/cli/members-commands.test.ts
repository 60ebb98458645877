import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  accountInvite,
  accountMembers,
  accountRemoveMember,
  accountResetPassword,
} from '../../../src/surfaces/cli/commands/people.ts';
import { CommandFailure } from '../../../src/surfaces/cli/failure.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { addPerson, Browser, secretIn, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const NEW = 'another staple entirely';
let service: TestService;
let owner: TestOwner;
let account: string;
before(async () => {
  service = await startService({ APP_URL: 'https://app.example.test' });
  owner = await service.owner();
  account = publicId('account_record', owner.record.id);
});
after(() => service.close());

const context = () => ({ app: service.app, url: service.url, signal: AbortSignal.timeout(10_000) });
const missing = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'resource_missing';

test('The operator invites the first owner by a link, lists the members and removes one', async () => {
  const listed = async () => accountMembers.parse(await accountMembers.run(context(), { account })).members;
  assert.match(accountMembers.show(await accountMembers.run(context(), { account })), /account invite/);
  const args = { account, email: 'owner@example.test', role: 'owner' };
  const invited = accountInvite.parse(await accountInvite.run(context(), args));
  assert.ok(invited.url.startsWith('https://app.example.test/invitations/'));
  assert.ok(accountInvite.show(invited).split('\n').includes(`  ${invited.url}`));
  const browser = new Browser(service.url);
  const path = `/invitations/${secretIn(invited.url, 'invitations')}`;
  const page = await browser.get(path);
  assert.match(page.text, /action="\/invitations\//);
  assert.equal((await browser.post(path, { password: NEW })).status, 303);
  await addPerson(service, owner, { role: 'reader', email: 'Reader@example.test' });
  assert.deepEqual(
    (await listed()).map(({ email, role }) => [email, role]),
    [
      ['owner@example.test', 'owner'],
      ['Reader@example.test', 'reader'],
    ],
  );
  await accountRemoveMember.run(context(), { account, email: 'reader@EXAMPLE.test' });
  assert.equal((await listed()).length, 1);
  await assert.rejects(
    accountRemoveMember.run(context(), { account, email: 'reader@example.test' }),
    missing,
  );
  await assert.rejects(
    accountRemoveMember.run(context(), { account, email: 'owner@example.test' }),
    /last owner/,
  );
});

test('The operator prints a link that sets a new password', async () => {
  const person = await addPerson(service, owner);
  const printed = accountResetPassword.parse(
    await accountResetPassword.run(context(), { email: person.email.toUpperCase() }),
  );
  assert.ok(accountResetPassword.show(printed).includes(printed.url));
  const path = `/reset-password/${secretIn(printed.url, 'reset-password')}`;
  assert.equal((await new Browser(service.url).post(path, { password: NEW })).status, 303);
  assert.equal((await new Browser(service.url).signIn(person.email, NEW)).status, 303);
  await assert.rejects(accountResetPassword.run(context(), { email: 'nobody@example.test' }), missing);
});

test('What is no account record, no role and no address is refused with the reason', async () => {
  const usage = (error: unknown): boolean => error instanceof CommandFailure && error.exitCode === 2;
  await assert.rejects(accountMembers.run(context(), { account: 'acc_1' }), usage);
  await assert.rejects(
    accountInvite.run(context(), { account, email: 'a@example.test', role: 'king' }),
    usage,
  );
  await assert.rejects(
    accountInvite.run(context(), { account, email: 'nonsense', role: 'owner' }),
    /not an e-mail/,
  );
  await signedIn(service, await addPerson(service, owner));
});
