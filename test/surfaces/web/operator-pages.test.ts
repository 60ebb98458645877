import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { addPerson, type Browser, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

let service: TestService;
let owner: TestOwner;
let operator: Browser;
before(async () => {
  service = await startService();
  owner = await service.owner();
  operator = await signedIn(service, await addPerson(service, owner, { operator: true }));
});
after(() => service.close());

const PAGES = ['', '/health', '/sandbox', '/account?account='];

describe('the operator’s pages', () => {
  test('are there for operators alone', async () => {
    const other = await signedIn(service, await addPerson(service, owner));
    const account = publicId('account_record', owner.record.id);
    for (const page of PAGES) {
      const path = `/settings/operator${page.endsWith('=') ? `${page}${account}` : page}`;
      assert.equal((await operator.get(path)).status, 200, path);
      assert.equal((await other.get(path)).status, 404, path);
    }
    for (const [path, fields] of [
      [`/settings/operator/account?account=${account}`, { plan: 'saver', status: 'active', limits: 'plan' }],
      [
        '/settings/operator/sandbox/faults',
        { integration: 'au_banking', kind: 'hang', count: '1', route: '*' },
      ],
      ['/settings/operator/create', { email: 'new@example.test', plan: 'saver', timezone: 'UTC' }],
      ['/settings/operator/sandbox/faults/clear', { integration: 'au_banking' }],
      ['/settings/operator/sandbox/clock', { forward: '3d' }],
    ] as const) {
      assert.equal((await other.post(path, fields)).status, 404, path);
    }
    assert.doesNotMatch((await other.get('/settings')).text, /\/settings\/operator/);
    assert.match((await operator.get('/settings')).text, /\/settings\/operator/);
  });

  test('show how much account records have and nothing of what is in it, page by page', async () => {
    const many = await Promise.all(Array.from({ length: 26 }, () => service.owner()));
    const [first] = many;
    assert.ok(first);
    const connection = await importedConnection(
      first,
      await linkBank(first, { customer: 'salaried-household' }),
    );
    const pages: string[] = [];
    for (let path: string | undefined = '/settings/operator'; path !== undefined; ) {
      const { text } = await operator.get(path);
      pages.push(text);
      path = /href="([^"]*\?after=[^"]*)"/.exec(text)?.[1];
    }
    assert.ok(pages.length >= 2);
    for (const { record } of many) {
      assert.equal(pages.filter((text) => text.includes(`>${record.email}<`)).length, 1, record.email);
    }
    const shown = pages.join('');
    assert.match(shown, /Signed in as [^<]+@/);
    for (const account of connection.accounts) assert.ok(!shown.includes(account.name), account.name);
    assert.ok(!shown.includes(connection.institution?.name ?? connection.institution_name));
  });

  test('name an account record as its owner does, beside its e-mail address', async () => {
    const { record } = await service.owner();
    await service.app.services.accountRecords.update(record.id, { name: 'Elm Street' });
    const path = `/settings/operator/account?account=${publicId('account_record', record.id)}`;
    const { text } = await operator.get(path);
    assert.ok(text.includes(`<h1>Account record ${record.email} (\u2068Elm Street\u2069)</h1>`));
  });

  test('create an account record with the name of a client, and keep what was typed where it is refused', async () => {
    const typed = {
      email: 'cafe@example.test',
      name: 'Harbour Café',
      plan: 'developer',
      timezone: 'Asia/Tokyo',
    };
    const sent = await operator.post('/settings/operator/create', typed);
    const address = sent.headers.get('location') ?? '';
    assert.match(address, /^\/settings\/operator\/account\?account=acc_\w+&done=account_created$/);
    const { text } = await operator.get(address);
    assert.ok(text.includes('The account record is created.'));
    assert.ok(text.includes('<h1>Account record cafe@example.test (\u2068Harbour Café\u2069)</h1>'));
    const made = (await service.app.services.accountRecords.list()).find(
      ({ email }) => email === typed.email,
    );
    assert.deepEqual(
      [made?.name, made?.plan, made?.timezone, made?.status],
      ['Harbour Café', 'developer', 'Asia/Tokyo', 'active'],
    );
    const again = await operator.post('/settings/operator/create', { ...typed, name: 'Tea & Co' });
    assert.equal(again.status, 400);
    assert.match(again.text, /already exists/);
    assert.ok(
      again.text.includes('value="cafe@example.test"') && again.text.includes('value="Tea &amp; Co"'),
    );
    assert.match(again.text, /<option value="developer" selected>/);
    for (const wrong of [{ plan: 'gold' }, { timezone: 'Mars/Base' }, { name: 'a@b' }, { email: 'none' }])
      assert.equal((await operator.post('/settings/operator/create', { ...typed, ...wrong })).status, 400);
  });

  test('change a plan, a status and limits as the command line does', async () => {
    const { record } = await service.owner();
    const path = `/settings/operator/account?account=${publicId('account_record', record.id)}`;
    const own = { plan: 'developer', status: 'trialing', limits: 'own', connections: '7', accounts: '' };
    const sent = await operator.post(path, { ...own, syncs: '-1', destinations: '2' });
    assert.equal(sent.headers.get('location'), '/settings/operator?done=account_changed');
    const changed = await service.app.services.accountRecords.find(record.id);
    assert.deepEqual(
      [changed.plan, changed.status, changed.limits],
      ['developer', 'trialing', { connections: 7, accounts: -1, syncs: -1, destinations: 2 }],
    );
    assert.ok(changed.trial_ends_at !== null);
    const wrong = await operator.post(path, { ...own, connections: 'many', syncs: '', destinations: '' });
    assert.match(wrong.text, /limit of connections is a whole number/);
    assert.equal(
      (await operator.post(path, { ...own, plan: 'gold', syncs: '1', destinations: '1' })).status,
      400,
    );
    await operator.post(path, { plan: 'saver', status: 'active', limits: 'plan' });
    const back = await service.app.services.accountRecords.find(record.id);
    assert.deepEqual([back.plan, back.limits, back.trial_ends_at], ['saver', null, null]);
    assert.equal((await operator.get('/settings/operator/account?account=acc_no')).status, 404);
  });

  test('arm a fault that a provider then shows in its health, and clear it', async () => {
    const fault = { integration: 'au_banking', kind: 'server-error', count: '50', route: '*' };
    const armed = await operator.post('/settings/operator/sandbox/faults', fault);
    assert.equal(armed.headers.get('location'), '/settings/operator/sandbox?done=fault_armed');
    assert.match((await operator.get('/settings/operator/sandbox')).text, /server-error at <code>\*<\/code>/);
    assert.match((await operator.get('/settings/operator/health')).text, /badge fail/);
    await operator.post('/settings/operator/sandbox/faults/clear', { integration: 'au_banking' });
    assert.match((await operator.get('/settings/operator/sandbox')).text, /No fault is armed/);
    for (const wrong of [{ integration: 'nobody' }, { kind: 'nonsense' }, { count: '0' }, { count: 'x' }]) {
      const answer = await operator.post('/settings/operator/sandbox/faults', { ...fault, ...wrong });
      assert.equal(answer.status, 400, JSON.stringify(wrong));
    }
  });

  test('are gone at once for someone who is an operator no more', async () => {
    const person = await addPerson(service, owner, { operator: true });
    const browser = await signedIn(service, person);
    assert.equal((await browser.get('/settings/operator')).status, 200);
    await service.app.database.db
      .updateTable('users')
      .set({ operator: false })
      .where('id', '=', person.id)
      .execute();
    assert.equal((await browser.get('/settings/operator')).status, 404);
  });
});
