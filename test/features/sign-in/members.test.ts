import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { publicId } from '../../../src/vocabulary/ids.ts';
import {
  addPerson,
  Browser,
  joinedPath,
  PASSWORD,
  type Page,
  secretIn,
  signedIn,
} from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService({ LIMIT_MEMBERS: '3', LIMIT_OPEN_INVITATIONS: '2' });
});
after(() => service.close());

const PAGE = '/settings/security';
const invite = (browser: Browser, email: string, role = 'reader'): Promise<Page> =>
  browser.post(`${PAGE}/invitations`, { email, role });
const membersOf = async ({ record }: TestOwner) =>
  (await service.app.signIn.members.list(record.id)).map(({ email, role }) => [email, role]);
const addressOf = (user: Parameters<typeof publicId<'user'>>[1], what: string) =>
  `${PAGE}/members/${publicId('user', user)}/${what}`;

/** An account record of its own with an owner and a reader, both signed in. */
async function household() {
  owner = await service.owner();
  const [parent, child] = [
    await addPerson(service, owner),
    await addPerson(service, owner, { role: 'reader' }),
  ];
  return {
    home: owner,
    parent,
    child,
    theirs: await signedIn(service, parent),
    its: await signedIn(service, child),
  };
}

describe('an owner', () => {
  test('invites someone by a link that is shown once, and revokes it', async () => {
    const { theirs } = await household();
    const invited = await invite(theirs, 'guest@example.test', 'owner');
    assert.equal(invited.status, 200);
    const secret = secretIn(invited.text, 'invitations');
    const page = await theirs.get(PAGE);
    assert.match(page.text, /guest@example\.test, owner, until/);
    assert.equal(page.text.includes(secret), false);
    const [, address = ''] = /action="([^"]+\/invitations\/inv_\w+\/revoke)"/.exec(page.text) ?? [];
    assert.equal((await theirs.post(address)).status, 303);
    assert.equal((await theirs.get(`/invitations/${secret}`)).status, 404);
  });

  test('changes a role, which counts at once', async () => {
    const { theirs, its, child, home } = await household();
    const change = (): Promise<number> =>
      its.v2('POST', '/v2/rulesets', { name: 'Tidy' }).then(({ status }) => status);
    assert.equal(await change(), 403);
    assert.equal((await theirs.post(addressOf(child.id, 'role'), { role: 'owner' })).status, 303);
    assert.equal(await change(), 200);
    assert.equal((await theirs.post(addressOf(child.id, 'role'), { role: 'reader' })).status, 303);
    assert.equal(await change(), 403);
    assert.equal((await theirs.post(addressOf(child.id, 'role'), { role: 'king' })).status, 400);
    assert.deepEqual(
      (await membersOf(home)).map(([, role]) => role),
      ['owner', 'reader'],
    );
  });

  test('removes a member, whose sessions end at once, and who cannot sign in', async () => {
    const { theirs, its, child } = await household();
    assert.equal((await its.v2('GET', '/v2/me')).status, 200);
    assert.equal((await theirs.post(addressOf(child.id, 'remove'))).status, 303);
    assert.equal((await its.v2('GET', '/v2/me')).status, 401);
    const again = await new Browser(service.url).signIn(child.email);
    assert.deepEqual([again.status, /not a member/.test(again.text)], [403, true]);
  });

  test('who is removed or demoted cannot come back by an invitation they made, and the operator can still invite them', async () => {
    for (const [what, fields] of [
      ['remove', {}],
      ['role', { role: 'reader' }],
    ] as const) {
      const { theirs, its, parent, child, home } = await household();
      await theirs.post(addressOf(child.id, 'role'), { role: 'owner' });
      const secret = secretIn((await invite(its, `back.${what}@example.test`, 'owner')).text, 'invitations');
      const other = secretIn((await invite(theirs, `guest.${what}@example.test`)).text, 'invitations');
      const gone = await theirs.post(addressOf(child.id, what), fields);
      assert.equal(gone.status, 303, gone.text);
      const browser = new Browser(service.url);
      assert.equal((await browser.get(`/invitations/${secret}`)).status, 404, what);
      const late = await browser.post(`/invitations/${secret}`, { password: 'another staple entirely' });
      assert.equal(late.status, 404, what);
      assert.equal((await browser.get(`/invitations/${other}`)).status, 200, 'of somebody who still manages');
      assert.match((await theirs.get(PAGE)).text, new RegExp(parent.email));
      const members = await membersOf(home);
      assert.equal(members.filter(([, role]) => role === 'owner').length, 1);
      const operators = await service.app.signIn.invitations.create(home.record.id, {
        email: `operator.${what}@example.test`,
        role: 'reader',
        by: null,
      });
      assert.equal((await browser.get(`/invitations/${operators.secret}`)).status, 200);
    }
  });

  test('who is removed while they invite someone invites no one', async () => {
    const { parent, child, home } = await household();
    const { invitations, members } = service.app.signIn;
    await members.changeRole(home.record.id, child.id, 'owner');
    await members.remove(home.record.id, child.id);
    await assert.rejects(
      invitations.create(home.record.id, { email: 'late@example.test', role: 'owner', by: child.id }),
      { code: 'insufficient_scope' },
    );
    assert.deepEqual(await invitations.list(home.record.id), []);
    assert.equal((await members.list(home.record.id))[0]?.user_id, parent.id);
  });

  test('sees after a removal what stays behind of a member', async () => {
    const { theirs, child } = await household();
    const { headers } = await theirs.post(addressOf(child.id, 'remove'));
    const page = await theirs.get(headers.get('location') ?? '');
    assert.match(page.text, /API keys, setup tokens and event destinations/);
  });

  test('who was removed comes back with what they sign in with [move invitation: accepted by the person who has its link]', async () => {
    const { theirs, child, home } = await household();
    await theirs.post(addressOf(child.id, 'remove'));
    const secret = secretIn((await invite(theirs, child.email)).text, 'invitations');
    const browser = new Browser(service.url);
    const address = `/invitations/${secret}`;
    const page = await browser.get(address);
    assert.match(page.text, /action="[^"]+\/sign-in"/);
    assert.match(
      (await browser.post(address, { password: 'another staple entirely' })).text,
      /signs? in with/,
    );
    const wrong = await browser.post(`${address}/sign-in`, { email: child.email, password: 'wrong staple' });
    assert.deepEqual([wrong.status, /password is wrong/.test(wrong.text)], [401, true]);
    assert.equal((await service.app.signIn.invitations.list(home.record.id)).length, 1, 'it is still open');
    const elsewhere = await browser.post(
      `${address}/sign-in`,
      { email: child.email, password: PASSWORD },
      { 'sec-fetch-site': 'cross-site' },
    );
    assert.deepEqual([elsewhere.status, elsewhere.headers.get('location')], [303, address]);
    const done = await browser.post(`${address}/sign-in`, { email: child.email, password: PASSWORD });
    assert.deepEqual([done.status, done.headers.get('location')], [303, await joinedPath(browser)]);
    assert.equal((await browser.v2('GET', '/v2/me')).body.id, publicId('account_record', home.record.id));
    assert.equal((await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' })).status, 403);
    assert.equal((await new Browser(service.url).signIn(child.email)).status, 303);
  });

  test('who was removed comes back once, by one of several at once, and with no session where there is no room', async () => {
    const { theirs, child, home } = await household();
    await theirs.post(addressOf(child.id, 'remove'));
    const secret = secretIn((await invite(theirs, child.email)).text, 'invitations');
    const tries = [1, 2, 3].map(() =>
      new Browser(service.url).post(`/invitations/${secret}/sign-in`, {
        email: child.email,
        password: PASSWORD,
      }),
    );
    const all = await Promise.all(tries);
    assert.deepEqual(all.map(({ status }) => status).toSorted(), [303, 404, 404]);
    await theirs.post(addressOf(child.id, 'remove'));
    const second = secretIn((await invite(theirs, child.email)).text, 'invitations');
    for (const email of ['full.one@example.test', 'full.two@example.test'])
      await addPerson(service, home, { email });
    const browser = new Browser(service.url);
    const full = await browser.post(`/invitations/${second}/sign-in`, {
      email: child.email,
      password: PASSWORD,
    });
    assert.deepEqual([full.status, /has 3 members/.test(full.text)], [400, true]);
    assert.equal(browser.cookies.size, 0);
  });

  test('being missing, a reader is still removed: no one is left to manage them but the operator', async () => {
    const alone = await service.owner();
    const reader = await addPerson(service, alone, { role: 'reader' });
    const { members } = service.app.signIn;
    await members.remove(alone.record.id, reader.id);
    assert.deepEqual(await members.list(alone.record.id), []);
  });

  test('invites and is accepted at once without either failing', async () => {
    const { home, parent } = await household();
    const { invitations } = service.app.signIn;
    for (let at = 0; at < 5; at += 1) {
      const invited = { email: `both.${at}@example.test`, role: 'reader', by: parent.id } as const;
      const { secret } = await invitations.create(home.record.id, invited);
      const guest = await addPerson(service, await service.owner());
      const browser = await signedIn(service, guest);
      const [accepted, again] = await Promise.all([
        browser.post(`/invitations/${secret}`),
        invitations.create(home.record.id, invited).then(
          () => 'invited',
          (error: unknown) => error,
        ),
      ]);
      assert.ok([303, 404].includes(accepted.status), `${accepted.status}`);
      assert.equal(again, 'invited');
      await service.app.signIn.members.remove(home.record.id, guest.id).catch(() => undefined);
      for (const { id } of await invitations.list(home.record.id))
        await invitations.revoke(home.record.id, id);
    }
  });

  test('who invites again and again leaves few rows behind', async () => {
    const { theirs, home } = await household();
    for (let at = 0; at < 6; at += 1) {
      const email = at % 2 === 0 ? 'again@example.test' : `other.${at}@example.test`;
      await invite(theirs, email);
      for (const { id } of await service.app.signIn.invitations.list(home.record.id)) {
        await service.app.signIn.invitations.revoke(home.record.id, id);
      }
    }
    const { db } = service.app.database;
    const rows = await db.selectFrom('invitations').select(['account_record', 'email']).execute();
    const own = rows.filter(({ account_record }) => account_record === home.record.id);
    assert.ok(own.length <= 3, `${own.length} rows`);
    assert.equal(own.filter(({ email }) => email === 'again@example.test').length <= 1, true);
  });

  test('who is the last can be neither removed nor demoted, also by two at once', async () => {
    const { theirs, its, parent, child, home } = await household();
    for (const [what, fields] of [
      ['role', { role: 'reader' }],
      ['remove', {}],
    ] as const) {
      const refused = await theirs.post(addressOf(parent.id, what), fields);
      assert.deepEqual([refused.status, /last owner/.test(refused.text)], [400, true]);
    }
    await theirs.post(addressOf(child.id, 'role'), { role: 'owner' });
    await Promise.all([theirs.post(addressOf(child.id, 'remove')), its.post(addressOf(parent.id, 'remove'))]);
    assert.deepEqual(
      (await membersOf(home)).map(([, role]) => role),
      ['owner'],
    );
  });

  test('has room for so many members [limit members]', async () => {
    const { theirs, home } = await household();
    const first = secretIn((await invite(theirs, 'one@example.test')).text, 'invitations');
    const second = secretIn((await invite(theirs, 'two@example.test')).text, 'invitations');
    const accept = (secret: string) =>
      new Browser(service.url).post(`/invitations/${secret}`, { password: 'another staple entirely' });
    assert.equal((await accept(first)).status, 303);
    const full = await accept(second);
    assert.deepEqual([full.status, /has 3 members/.test(full.text)], [400, true]);
    const refused = await invite(theirs, 'three@example.test');
    assert.deepEqual([refused.status, /has 3 members/.test(refused.text)], [400, true]);
    assert.equal((await membersOf(home)).length, 3);
  });

  test('has so many invitations open, and one for each address [limit open_invitations]', async () => {
    const { theirs, parent } = await household();
    for (const email of ['a@example.test', 'b@example.test', 'B@example.test']) {
      assert.equal((await invite(theirs, email)).status, 200, email);
    }
    assert.match((await invite(theirs, 'c@example.test')).text, /2 open invitations/);
    assert.match((await invite(theirs, parent.email)).text, /member already/);
    assert.match((await invite(theirs, 'nonsense')).text, /not an e-mail address/);
  });
});

test('an account record sends so many invitations in a while, and another its own: each may be a mail to a stranger', async () => {
  const [one, other] = [await household(), await household()];
  const statuses: number[] = [];
  for (let at = 0; at < 11; at += 1) statuses.push((await invite(one.theirs, 'again@example.test')).status);
  assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
  assert.equal((await invite(other.theirs, 'again@example.test')).status, 200);
});

test('a reader manages no one and sees no invitations', async () => {
  const { theirs, its, parent, child } = await household();
  await invite(theirs, 'secret.guest@example.test');
  const page = await its.get(PAGE);
  assert.match(page.text, new RegExp(parent.email));
  assert.doesNotMatch(page.text, /secret\.guest|Make owner|<h2>Invitations/);
  for (const [path, fields] of [
    [`${PAGE}/invitations`, { email: 'x@example.test', role: 'owner' }],
    [addressOf(child.id, 'role'), { role: 'owner' }],
    [addressOf(parent.id, 'remove'), {}],
  ] as const) {
    assert.equal((await its.post(path, fields)).status, 403, path);
  }
});

test('members of one account record neither see nor touch those of another', async () => {
  const [one, other] = [await household(), await household()];
  await invite(other.theirs, 'their.guest@example.test');
  const [invitation] = await service.app.signIn.invitations.list(other.home.record.id);
  assert.ok(invitation);
  const page = await one.theirs.get(PAGE);
  for (const email of [other.parent.email, other.child.email, 'their.guest@example.test']) {
    assert.equal(page.text.includes(email), false, email);
  }
  const foreign = `${PAGE}/invitations/${publicId('invitation', invitation.id)}/revoke`;
  for (const [path, fields] of [
    [addressOf(other.child.id, 'role'), { role: 'owner' }],
    [addressOf(other.child.id, 'remove'), {}],
    [foreign, {}],
    ['/settings/account', { account: publicId('account_record', other.home.record.id) }],
  ] as const) {
    assert.equal((await one.theirs.post(path, fields)).status, 404, path);
  }
  assert.equal((await service.app.signIn.invitations.list(other.home.record.id)).length, 1);
  assert.deepEqual(
    (await membersOf(other.home)).map(([, role]) => role),
    ['owner', 'reader'],
  );
  assert.equal(
    (await other.its.v2('GET', '/v2/me')).body.id,
    publicId('account_record', other.home.record.id),
  );
});

test('someone who shares two account records goes from one to the other, each with its own role', async () => {
  const [first, second] = [await household(), await household()];
  const { secret } = await service.app.signIn.invitations.create(second.home.record.id, {
    email: 'both@example.test',
    role: 'reader',
    by: second.parent.id,
  });
  const browser = first.theirs;
  for (const { home } of [first, second])
    await service.app.services.accountRecords.update(home.record.id, { name: 'My household' });
  const invited = await browser.get(`/invitations/${secret}`);
  assert.ok(invited.text.includes(`<dd>${second.home.record.email} (<bdi>My household</bdi>)</dd>`));
  await browser.post(`/invitations/${secret}`);
  const choice = `${first.home.record.email} (\u2068My household\u2069)</option>`;
  assert.ok(
    (await browser.get('/settings')).text.includes(choice),
    'a name never stands without its address',
  );
  const account = async () => (await browser.v2('GET', '/v2/me')).body.id;
  assert.equal(await account(), publicId('account_record', second.home.record.id));
  assert.equal((await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' })).status, 403);
  await browser.post('/settings/account', { account: publicId('account_record', first.home.record.id) });
  assert.equal(await account(), publicId('account_record', first.home.record.id));
  assert.equal((await browser.v2('POST', '/v2/rulesets', { name: 'Tidy' })).status, 200);
  await second.theirs.post(addressOf(first.parent.id, 'remove'));
  assert.equal(await account(), publicId('account_record', first.home.record.id), 'that session goes on');
});

test('what a tab means for one account record never happens to the one that another tab has switched to', async () => {
  const [first, second] = [await household(), await household()];
  const { secret } = await service.app.signIn.invitations.create(second.home.record.id, {
    email: 'tabs@example.test',
    role: 'owner',
    by: second.parent.id,
  });
  const browser = first.theirs;
  const shown = publicId('account_record', first.home.record.id);
  const forms = (await browser.get('/settings')).text;
  const posts = (forms.match(/<form\b[^>]*method="post"[^>]*>/g) ?? []).filter(
    // Which account record is shown makes no difference to signing out.
    (form) => !/action="[^"]*sign-out"/.test(form),
  );
  assert.ok(posts.length >= 3);
  assert.equal(forms.split(`name="shown_account" value="${shown}"`).length - 1, posts.length);
  const write = (account: string) =>
    browser.v2('POST', '/v2/rulesets', { name: 'Meant for one' }, { 'shown-account': account });
  assert.equal((await write(shown)).status, 200);
  await browser.post(`/invitations/${secret}`);
  for (const asked of [
    await write(shown),
    await browser.v2('GET', '/v2/rulesets', undefined, { 'shown-account': shown }),
  ]) {
    const { error } = asked.body;
    assert.deepEqual([asked.status, error.code, error.param], [403, 'insufficient_scope', 'shown-account']);
  }
  const changed = await browser.post('/settings/timezone', { timezone: 'Asia/Tokyo', shown_account: shown });
  assert.equal(changed.status, 409);
  assert.match(changed.text, /Nothing was changed: you have switched to another account/);
  assert.deepEqual((await browser.v2('GET', '/v2/rulesets')).body.data, []);
  assert.notEqual((await browser.v2('GET', '/v2/me')).body.timezone, 'Asia/Tokyo');
  assert.equal((await write(publicId('account_record', second.home.record.id))).status, 200);
});
