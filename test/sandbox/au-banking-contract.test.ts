import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handClock, items, list, record, text, withSimulator } from './visitor.ts';

test('a token lives 900 seconds of sandbox time and carries the documented claims', async () => {
  const clock = handClock();
  await withSimulator({ clock }, async (visitor) => {
    const answer = await visitor.post('/v1/token', { client_id: 'client-1', client_secret: 'secret-1' });
    assert.equal(record(answer.body).expires_in, 900);
    const claims = record(JSON.parse(Buffer.from(visitor.token.split('.')[1] ?? '', 'base64url').toString()));
    assert.deepEqual(Object.keys(claims).sort(), ['exp', 'iat', 'jti', 'key_id', 'org_id', 'scope']);
    assert.equal(claims.scope, 'api:banking api:user.read api:user.write');
    clock.at += 899_000;
    assert.equal((await visitor.get('/v1/end-users')).status, 200);
    clock.at += 1_000;
    assert.equal((await visitor.get('/v1/end-users')).status, 401);
  });
});

test('a wrong secret, a missing token and a forged token are 401 in the vendor body of that area', async () => {
  await withSimulator({}, async (visitor) => {
    const wrong = await visitor.post('/v1/token', { client_id: 'client-1', client_secret: 'nope' });
    assert.equal(wrong.status, 401);
    assert.deepEqual(Object.keys(record(wrong.body)).sort(), [
      'fault',
      'id',
      'message',
      'name',
      'temporary',
      'timeout',
    ]);
    visitor.token = `${visitor.token.slice(0, -4)}AAAA`;
    const forged = await visitor.get('/v1/banking/accounts?end_user_id=x');
    assert.equal(forged.status, 401);
    assert.deepEqual(Object.keys(record(forged.body)).sort(), ['id', 'message', 'name']);
    visitor.token = '';
    assert.equal((await visitor.get('/v1/consent?end_user_id=x')).status, 401);
  });
});

test('the version is echoed, defaults to v3, and anything but v1, v2, v3 is refused', async () => {
  await withSimulator({}, async (visitor) => {
    for (const version of ['v1', 'v2', 'v3']) {
      visitor.version = version;
      assert.equal((await visitor.get('/v1/end-users')).headers.get('x-fiskil-version'), version);
    }
    visitor.version = null;
    assert.equal((await visitor.get('/v1/end-users')).headers.get('x-fiskil-version'), 'v3');
    visitor.version = '2.0.0';
    assert.equal((await visitor.get('/v1/end-users')).status, 400);
  });
});

test('unknown query parameters, stray body fields and wrong content types are refused', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    assert.equal((await visitor.get('/v1/banking/accounts?end_user_id=x&limit=5')).status, 400);
    assert.equal((await visitor.get('/v1/banking/accounts')).status, 400);
    assert.equal((await visitor.post('/v1/end-users', { email: 'a@b.test', colour: 'red' })).status, 400);
    assert.equal((await visitor.post('/v1/end-users', {})).status, 400);
    const form = await fetch(`${simulator.url}/v1/token`, { method: 'POST', body: 'client_id=client-1' });
    assert.equal(form.status, 400);
    assert.equal((await visitor.get('/v1/nothing')).status, 404);
  });
});

test('end users can be made twice for one address, read, changed and deleted; reads of a deleted one are empty', async () => {
  await withSimulator({}, async (visitor) => {
    const first = await visitor.endUser('same@example.test');
    const second = await visitor.endUser('same@example.test');
    assert.notEqual(first, second);
    assert.match(first, /^eu_/);
    const found = items((await visitor.get('/v1/end-users?email=same%40example.test')).body);
    assert.deepEqual(found.map((user) => user.id).sort(), [first, second].sort());
    await visitor.post(`/v1/end-users/${first}`, { name: 'Ada' });
    assert.equal(record((await visitor.get(`/v1/end-users/${first}`)).body).name, 'Ada');
    await visitor.link(first);
    assert.ok(
      list((await visitor.get(`/v1/banking/accounts?end_user_id=${first}`)).body, 'accounts').length > 0,
    );
    assert.equal((await visitor.call('DELETE', `/v1/end-users/${first}`)).status, 204);
    const gone = await visitor.get(`/v1/end-users/${first}`);
    assert.equal(gone.status, 404);
    assert.equal(text(gone.body, 'name'), 'end_user_not_found');
    const rows = await visitor.get(`/v1/banking/accounts?end_user_id=${first}`);
    assert.equal(rows.status, 200);
    assert.deepEqual(list(rows.body, 'accounts'), []);
  });
});

test('v3 wraps the end-user and consent lists, v1 and v2 send them bare', async () => {
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    await visitor.link(user);
    for (const version of ['v1', 'v2']) {
      visitor.version = version;
      assert.equal(items((await visitor.get('/v1/end-users')).body).length, 1);
      assert.equal(items((await visitor.get(`/v1/consent?end_user_id=${user}`)).body).length, 1);
    }
    visitor.version = 'v3';
    assert.equal(list((await visitor.get('/v1/end-users')).body, 'end_users').length, 1);
    assert.equal(list((await visitor.get(`/v1/consent?end_user_id=${user}`)).body, 'consents').length, 1);
  });
});

test('institutions need the client id, filter by industry, and carry a status that can be changed', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    assert.equal((await visitor.get('/v1/institutions')).status, 400);
    assert.equal((await visitor.get('/v1/institutions?client_id=other')).status, 400);
    const all = items((await visitor.get('/v1/institutions?client_id=client-1')).body);
    const banks = items((await visitor.get('/v1/institutions?client_id=client-1&industry=banking')).body);
    assert.ok(all.length > banks.length && banks.every((bank) => bank.industry === 'banking'));
    assert.equal(banks.find((bank) => bank.id === '88888')?.name, 'Banking Sandbox Data Holder');
    simulator.control.setInstitutionStatus('88888', 'OUTAGE');
    const one = record((await visitor.get('/v1/institutions/88888')).body);
    assert.deepEqual(one.status, { connections: { status: 'OUTAGE' } });
    assert.equal((await visitor.get('/v1/institutions/1')).status, 404);
    assert.equal((await fetch(text(one, 'logo'))).headers.get('content-type'), 'image/svg+xml');
  });
});

test('deleting a consent answers 204 for anything, and ends the one that exists', async () => {
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    await visitor.link(user);
    assert.equal((await visitor.call('DELETE', '/v1/consent/never-existed')).status, 204);
    const [consent] = items((await visitor.get(`/v1/consent?end_user_id=${user}&active=true`)).body);
    assert.equal(
      (await visitor.call('DELETE', `/v1/consent/${text(consent, 'arrangement_id')}`)).status,
      204,
    );
    assert.deepEqual(items((await visitor.get(`/v1/consent?end_user_id=${user}&active=true`)).body), []);
    const [ended] = items((await visitor.get(`/v1/consent?end_user_id=${user}&active=false`)).body);
    assert.equal(ended?.active, false);
    assert.equal(typeof ended?.termination_reason, 'string');
    assert.deepEqual(
      list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts'),
      [],
    );
  });
});

test('a live balance needs an account, is rationed while no one is present, and fails in an outage', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const user = await visitor.endUser();
    await visitor.link(user, { customer: 'dormant' });
    const path = `/v1/banking/balances?end_user_id=${user}&fetch=true`;
    assert.equal((await visitor.get(path)).status, 400);
    const [account] = list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts');
    const live = `${path}&account_id=${text(account, 'account_id')}`;
    for (let count = 0; count < 20; count++) assert.equal((await visitor.get(live)).status, 200);
    const limited = await visitor.get(live);
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get('retry-after'), '86400');
    simulator.control.setInstitutionStatus('88888', 'OUTAGE');
    assert.equal((await visitor.get(live)).status, 503);
    assert.equal((await visitor.get(`/v1/banking/balances?end_user_id=${user}`)).status, 200);
  });
});
