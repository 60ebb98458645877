import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

const PAGE = '/settings/security';

test('an owner is asked before a member is removed, by a page that names them and what ends', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const [parent, child] = [
    await addPerson(service, owner),
    await addPerson(service, owner, { role: 'reader' }),
  ];
  const stranger = await addPerson(service, await service.owner());
  const [theirs, its] = [await signedIn(service, parent), await signedIn(service, child)];
  const members = async () =>
    (await service.app.signIn.members.list(owner.record.id)).map(({ email }) => email);
  const question = (user: typeof child) => `${PAGE}/remove-member?member=${publicId('user', user.id)}`;
  const { text } = await theirs.get(PAGE);
  assert.ok(text.includes(`href="${question(child)}"`));
  assert.doesNotMatch(text, /action="[^"]*\/members\/[^"]*\/remove"/, 'no button that removes at once');
  const asked = await theirs.get(question(child));
  assert.ok(asked.text.includes(`Remove <strong>${child.email}</strong> from ${owner.record.email}?`));
  assert.match(asked.text, /apps that they connected to it are disconnected/);
  assert.doesNotMatch(asked.text, /This is you/);
  assert.match((await theirs.get(question(parent))).text, /This is you/);
  assert.deepEqual(await members(), [parent.email, child.email], 'asking removes no one');
  assert.equal((await its.get(question(child))).status, 403, 'a reader removes no one');
  assert.equal((await theirs.get(question(stranger))).status, 404);
  assert.equal((await theirs.get(`${PAGE}/remove-member`)).status, 404);
  const [, address = ''] = /action="([^"]+\/remove)"/.exec(asked.text) ?? [];
  assert.equal((await theirs.post(address)).status, 303);
  assert.deepEqual(await members(), [parent.email]);
});
