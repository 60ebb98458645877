import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, test } from 'node:test';
import { until } from '../../features/linking/person.ts';
import { readSources, readTree } from '../../house/tree.ts';
import type { Json } from '../../support/v2-client.ts';
import { accountsOf, ContractWorld, type Login, rowsOf, tradesOf } from './contract-world.ts';

let world: ContractWorld;

before(async () => {
  world = await ContractWorld.open();
});
beforeEach(() => {
  world.vendor.beforeRotation = async () => undefined;
  world.vendor.drops.length = 0;
});
after(() => world.close());

describe('A sign-in that gives several banks', () => {
  it('becomes a connection for each, announced and listed as any other; the session names the first', async () => {
    const one = await world.somebody();
    const name = world.signer('kea', 'weka', 'ruru');
    const session = await one.person.signIn(await one.person.start('nz_banking'), name);
    assert.equal(session.status, 'completed');
    const all = await until(one.connections, (found) => found.every(({ status }) => status === 'active'));
    assert.equal(all.length, 3);
    assert.ok(all.some(({ id }) => id === session.connection));
    const { data: consents } = (await one.owner.v2('GET', '/v2/consents')).body;
    assert.equal(new Set(consents.map((consent: Json) => consent.connection)).size, 3);
    for (const account of await accountsOf(one)) {
      assert.equal((await rowsOf(one.owner, account)).body.data.length, 3);
    }
  });

  it('is one customer, however often the person signs in, and what it holds already is not linked twice', async () => {
    const one = await world.somebody();
    const name = world.signer('kea', 'weka');
    const first = await one.person.signIn(await one.person.start('nz_banking'), name);
    await accountsOf(one);
    world.vendor.addLogin(name, 'ruru');
    const again = await one.person.signIn(await one.person.start('nz_banking'), name);
    assert.notEqual(again.connection, first.connection, 'the session names what it brought');
    assert.equal((await one.connections()).length, 3);
    const { db } = world.service.app.database;
    const live = await db
      .selectFrom('end_users')
      .select('id')
      .where('account_record', '=', one.owner.record.id)
      .where('released_at', 'is', null)
      .execute();
    assert.equal(live.length, 1);
    for (const account of await accountsOf(one)) {
      assert.equal((await rowsOf(one.owner, account)).status, 200);
    }
  });

  it('connects as many as the plan has room for, in their order, and gives the rest back', async () => {
    const one = await world.somebody();
    await world.service.app.services.accountRecords.update(one.owner.record.id, { plan: 'developer' });
    const name = world.signer(...Array.from({ length: 12 }, (_, at) => `bank-${at}`));
    const session = await one.person.signIn(await one.person.start('nz_banking'), name);
    assert.equal(session.status, 'completed');
    const kept = await one.connections();
    const logins = world.vendor.logins.get(name) ?? [];
    assert.ok(kept.length > 0 && kept.length < 12, `${kept.length} fit`);
    await until(
      async () => logins.filter(({ state }) => state === 'ended').length,
      (ended) => ended === 12 - kept.length,
    );
    assert.deepEqual(
      logins.map(({ state }) => state),
      logins.map((_, at) => (at < kept.length ? 'active' : 'ended')),
    );
    const { data: consents } = (await one.owner.v2('GET', '/v2/consents?limit=100')).body;
    const withdrawn = consents.filter((consent: Json) => consent.status === 'withdrawn');
    assert.equal(withdrawn.length, 12 - kept.length);
    for (const consent of withdrawn) assert.equal(consent.termination_reason, 'connection_limit');
  });

  it('is deleted bank by bank, and its tokens are revoked with the last', async () => {
    const one = await world.somebody();
    const name = world.signer('kea', 'weka');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    await accountsOf(one);
    const held = () => world.vendor.tokens.filter(({ person }) => person === name).length;
    const [newest, oldest] = await one.connections();
    await one.owner.v2('DELETE', `/v2/connections/${newest.id}`);
    assert.equal(held(), 1);
    const [account] = oldest.accounts;
    assert.equal((await rowsOf(one.owner, account.id)).status, 200);
    await one.owner.v2('DELETE', `/v2/connections/${oldest.id}`);
    await until(
      async () => held(),
      (count) => count === 0,
    );
    assert.deepEqual(
      world.vendor.logins.get(name)?.map(({ state }) => state),
      ['ended', 'ended'],
    );
  });
});

describe('What opens a customer at the vendor', () => {
  it('is renewed by one of many that find it outdated at once, stored, and used by every connection', async () => {
    const one = await world.somebody();
    const name = world.signer('kea', 'weka', 'ruru');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    const accounts = await accountsOf(one);
    const { vendor } = world;
    vendor.rotated.length = 0;
    vendor.expireTokens();
    vendor.beforeRotation = () => new Promise((resolve) => setTimeout(resolve, 200));
    const reads = await Promise.all([...accounts, ...accounts].map((account) => rowsOf(one.owner, account)));
    for (const { status, body } of reads) assert.equal(status, 200, JSON.stringify(body));
    // Work of other people may be under way too, and has theirs rotated.
    assert.deepEqual(
      vendor.rotated.filter((person) => person === name),
      [name],
    );
    assert.equal(vendor.reused, 0);
  });

  it('is not called off by a caller who leaves while it is rotated', async () => {
    const one = await world.somebody();
    await one.person.signIn(await one.person.start('nz_banking'), world.signer('kea'));
    const [account] = await accountsOf(one);
    const { vendor } = world;
    vendor.expireTokens();
    let rotating = false;
    vendor.beforeRotation = async () => {
      rotating = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
    };
    const leaving = new AbortController();
    const url = new URL(
      `/v2/transactions?account=${account}&from=2026-11-01&to=2026-11-10`,
      world.service.url,
    );
    const headers = { authorization: `Bearer ${one.owner.key}`, 'service-version': '2026-10-01.wattle' };
    const left = fetch(url, { headers, signal: leaving.signal }).catch(() => null);
    await until(async () => rotating, Boolean);
    leaving.abort();
    await left;
    assert.equal((await rowsOf(one.owner, account ?? '')).status, 200);
    assert.equal(vendor.reused, 0);
  });

  it('is a secret of its own where the vendor has customers, and is renewed when the vendor says so', async () => {
    const one = await world.somebody();
    const { vendor } = world;
    await one.person.signIn(await one.person.start('brokerage'), world.signer('kea', 'weka'));
    const accounts = await accountsOf(one);
    vendor.renewSecrets();
    const customer = vendor.customers.at(-1)?.id;
    vendor.renewed.length = 0;
    for (const account of accounts) {
      const { status, body } = await tradesOf(one.owner, account);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.data.length, 3, 'trades come by page');
    }
    assert.deepEqual(
      vendor.renewed.filter((id) => id === customer),
      [customer],
    );
  });

  it('is never asked for twice under one key: a lost answer makes a new customer, and the first is deleted', async () => {
    const one = await world.somebody();
    const { vendor } = world;
    const before = vendor.customers.length;
    const session = await one.person.start('brokerage');
    vendor.drops.push('POST /customers');
    assert.equal((await one.person.press(session)).status, 503);
    assert.equal(vendor.customers.length, before + 1);
    const [lost] = vendor.customers.slice(-1);
    assert.equal((await one.person.signIn(session, world.signer('kea'))).status, 'completed');
    assert.equal(vendor.customers.length, before + 1);
    assert.ok(!vendor.customers.some(({ key }) => key === lost?.key));
  });
});

describe('A login at the bank', () => {
  it('that the vendor lost comes back when the vendor says so, and only an ended one ends the consent', async () => {
    const one = await world.somebody();
    const name = world.signer('kea');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    const [account = ''] = await accountsOf(one);
    const [login] = world.vendor.logins.get(name) ?? [];
    assert.ok(login);
    const [{ id }] = await one.connections();
    const look = async (state: Login['state'], status: string) => {
      login.state = state;
      await one.ask(id);
      await until(one.connections, ([connection]) => connection.status === status);
      const { data } = (await one.owner.v2('GET', '/v2/consents')).body;
      return [data[0].status, (await rowsOf(one.owner, account)).status];
    };
    assert.deepEqual(await look('login_lost', 'invalidated'), ['active', 424]);
    assert.deepEqual(await look('active', 'active'), ['active', 200]);
    assert.deepEqual(await look('ended', 'invalidated'), ['withdrawn', 424]);
  });

  it('is renewed by signing in again, on the same connection, with the new tokens', async () => {
    const one = await world.somebody();
    const name = world.signer('kea', 'weka');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    const accounts = await accountsOf(one);
    const [newest] = await one.connections();
    // The vendor forgot the tokens: nothing but signing in again helps.
    world.vendor.tokens.length = 0;
    assert.equal((await rowsOf(one.owner, accounts[0] ?? '')).status, 424);
    const session = await one.person.signIn(await one.person.start('nz_banking', newest.id), name);
    assert.equal(session.connection, newest.id);
    assert.deepEqual((await accountsOf(one)).toSorted(), accounts.toSorted());
    for (const account of accounts) assert.equal((await rowsOf(one.owner, account)).status, 200);
    assert.equal((await one.connections()).length, 2);
  });

  it('of someone else that renews a connection leaves nothing of the person before at the vendor', async () => {
    const one = await world.somebody();
    const [before, since] = [world.signer('kea'), world.signer('kea')];
    await one.person.signIn(await one.person.start('nz_banking'), before);
    await accountsOf(one);
    const [{ id }] = await one.connections();
    await one.person.signIn(await one.person.start('nz_banking', id), since);
    await until(
      async () => world.vendor.tokens.filter(({ person }) => person === before).length,
      (standing) => standing === 0,
    );
    assert.equal(world.vendor.logins.get(before)?.[0]?.state, 'ended');
    assert.equal(world.vendor.logins.get(since)?.[0]?.state, 'active');
    const { data } = (await one.owner.v2('GET', `/v2/consents?connection=${id}`)).body;
    assert.deepEqual(
      data.map((consent: Json) => [consent.status, consent.connection]),
      [
        ['active', id],
        ['withdrawn', id],
      ],
    );
  });
});

/** Written so that this file does not name it either. */
const VENDOR = ['kere', 'ru'].join('');

test('the throwaway vendor is one folder and one line: no other file names it', () => {
  const naming = [...readSources(), ...readTree('test', '.ts')]
    .filter(
      ([path, source]) => source.includes(VENDOR) && !path.startsWith(`test/connectors/providers/${VENDOR}/`),
    )
    .map(([path]) => path);
  assert.deepEqual(naming, [
    'test/connectors/providers/contract-world.ts',
    'test/features/linking/notification-turns.test.ts',
  ]);
});
