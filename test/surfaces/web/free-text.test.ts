import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPerson, Browser, signedIn } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

test('a text with a NUL, which the database does not take, fails no page', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const { secret } = await service.app.signIn.invitations.create(owner.record.id, {
    email: 'guest@example.test',
    role: 'reader',
    by: null,
  });
  const first = await service.app.signIn.firstRun.issue();
  assert.equal(first, null);
  const stranger = new Browser(service.url);
  const there = await signedIn(service, person);
  const text = 'a\0b@example.test';
  const sent = [
    [stranger, '/sign-in', { email: text, password: text, next: text }, 401],
    [stranger, '/forgot-password', { email: text }, 200],
    [stranger, `/invitations/${secret}`, { password: text }, 303],
    [stranger, `/invitations/${secret}/sign-in`, { email: text, password: text }, 404],
    [there, '/settings/security/invitations', { email: text, role: 'reader' }, 400],
    [there, '/settings/security/invitations', { email: 'x@example.test', role: text }, 400],
    [there, '/settings/account', { account: text }, 404],
    [there, '/settings/security/password', { current: text, password: 'another staple\0' }, 400],
    [stranger, '/reset-password/%00', { password: text }, 404],
    [stranger, '/first-run/%00', { email: text, password: text }, 404],
    [there, '/settings/security/members/%00/remove', {}, 404],
  ] as const;
  for (const [browser, path, fields, status] of sent) {
    assert.equal((await browser.post(path, fields)).status, status, path);
  }
});
