import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { ProviderSignal } from '../../../src/connectors/providers/provider-contract.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { until } from '../../features/linking/person.ts';
import { startService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { accountsOf, ContractWorld, copying, notify, rowsOf } from './contract-world.ts';

let world: ContractWorld;

before(async () => {
  world = await ContractWorld.open();
});
after(() => world.close());

describe('A notification of the vendor', () => {
  it('about a login has the vendor asked, and changes nothing that is not so', async () => {
    const one = await world.somebody();
    const name = world.signer('kea');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    await accountsOf(one);
    const [login] = world.vendor.logins.get(name) ?? [];
    assert.ok(login);
    const about = { kind: 'consent', id: login.consent } as const;
    const notifyOf = (what: ProviderSignal['what']) => notify(world.service, 'nz_banking', [{ about, what }]);
    const lists = () => world.vendor.calls.filter((call) => call === `GET /consents/${login.consent}`).length;
    const before = lists();
    // Late or made up: the login works.
    assert.equal(await notifyOf('login_lost'), 200);
    await until(
      async () => lists(),
      (asked) => asked > before,
    );
    assert.equal((await one.connections())[0].status, 'active');
    login.state = 'login_lost';
    // Within a minute of the last look: one look waits, however often the vendor notifies us.
    for (let time = 0; time < 5; time++) assert.equal(await notifyOf('login_lost'), 200);
    const { db } = world.service.app.database;
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs
      where queue = 'account-import' and due_at > now() + interval '30 seconds'
        and payload->>'connection' = ${parsePublicId('connection', (await one.connections())[0].id)}`.execute(
      db,
    );
    assert.equal(rows[0]?.count, 1);
  });

  it('whose signature does not hold, about no one, too large or to another address does nothing', async () => {
    const about = { kind: 'account', id: 'acc-unknown' } as const;
    const signals = [{ about, what: 'data_changed' }] as const;
    assert.equal(await notify(world.service, 'nz_banking', signals), 200);
    assert.equal(await notify(world.service, 'nz_banking', signals, 'forged'), 401);
    // Signed as its own vendor signs, not as this one does.
    assert.equal(await notify(world.service, 'au_banking', signals), 401);
    assert.equal(await notify(world.service, 'nobody', signals), 404);
  });

  it('about an account runs what copies it, at once', async (t) => {
    const one = await world.somebody();
    await one.person.signIn(await one.person.start('nz_banking'), world.signer('kea'));
    const [account = ''] = await accountsOf(one);
    const copy = await copying(one.owner, account);
    t.after(copy.close);
    const about = { kind: 'account', id: world.vendor.accounts.at(-1)?.id ?? '' } as const;
    assert.equal(await notify(world.service, 'nz_banking', [{ about, what: 'data_changed' }]), 200);
    const run = await until(
      copy.latest,
      ({ trigger, status }) => trigger === 'webhook' && status === 'succeeded',
    );
    assert.equal(run.counts.added, 0);
  });
});

describe('A vendor that notifies too often', () => {
  it('has a connection looked at and run once a minute, and those of others at once', async (t) => {
    const [one, other] = [await world.somebody(), await world.somebody()];
    const copies = [];
    const accounts: string[] = [];
    for (const { owner, person, ...linked } of [one, other]) {
      await person.signIn(await person.start('nz_banking'), world.signer('kea'));
      const [account = ''] = await accountsOf({ owner, person, ...linked });
      const copy = await copying(owner, account);
      t.after(copy.close);
      copies.push(copy);
      accounts.push(world.vendor.accounts.at(-1)?.id ?? '');
    }
    const news = (id = '') => ({ about: { kind: 'account', id }, what: 'data_changed' }) as const;
    const ran = ({ trigger, status }: Json) => trigger === 'webhook' && status === 'succeeded';
    const many = Array.from({ length: 499 }, () => news(accounts[0]));
    assert.equal(await notify(world.service, 'nz_banking', many), 200);
    const first = await until(copies[0]?.latest ?? assert.fail(), ran);
    for (let time = 0; time < 3; time++) {
      assert.equal(await notify(world.service, 'nz_banking', [...many, news(accounts[1])]), 200);
    }
    // Served after those of the greedy one.
    await until(copies[1]?.latest ?? assert.fail(), ran);
    assert.equal((await copies[0]?.latest())?.id, first.id);
    const [{ id }] = await one.connections();
    const { rows } = await sql<{ name: string; count: number }>`
      select queue as name, count(*)::int as count
      from jobs
      where queue in ('account-import', 'provider-data') and lease_until is null
        and due_at > now() + interval '30 seconds'
        and payload->>'connection' = ${parsePublicId('connection', id)}
      group by 1 order by 1`.execute(world.service.app.database.db);
    assert.deepEqual(rows, [
      { name: 'account-import', count: 1 },
      { name: 'provider-data', count: 1 },
    ]);
  });

  it('has a look that fails repeated within the hour', async () => {
    const one = await world.somebody();
    const name = world.signer('kea');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    await accountsOf(one);
    const [{ id }] = await one.connections();
    const { db } = world.service.app.database;
    const due = async () => {
      const connection = parsePublicId('connection', id) ?? assert.fail();
      const row = await db.selectFrom('connections').selectAll().where('id', '=', connection);
      return (await row.executeTakeFirstOrThrow()).refresh_at.getTime() - Date.now();
    };
    assert.ok((await due()) > 23 * 3_600_000);
    const [login] = world.vendor.logins.get(name) ?? [];
    const about = { kind: 'consent', id: login?.consent ?? '' } as const;
    // The first look succeeds; the second waits for its minute, and would be lost if it failed.
    for (let time = 0; time < 2; time++) {
      assert.equal(await notify(world.service, 'nz_banking', [{ about, what: 'accounts_changed' }]), 200);
    }
    await until(due, (left) => left <= 3_660_000);
  });
});

describe('An account whose ids migrate', () => {
  it('is the same account under its new id, also when it moves to another consent, and a closed one is unavailable [move account: listed as closed]', async () => {
    const one = await world.somebody();
    const name = world.signer('kea');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    const [id = ''] = await accountsOf(one);
    const [old] = await one.connections();
    const was = world.vendor.accounts.at(-1) ?? assert.fail();
    // The bank moves to another kind of connection: a new consent, under which the account has a new id.
    world.vendor.addLogin(name, 'kea-open');
    const now = world.vendor.accounts.at(-1) ?? assert.fail();
    now.formerIds.push(was.id);
    world.vendor.accounts.splice(world.vendor.accounts.indexOf(was), 1);
    await one.person.signIn(await one.person.start('nz_banking'), name);
    const [fresh] = await until(
      one.connections,
      (all) => all.length === 2 && all[0].accounts.length === 1 && all[1].accounts.length === 0,
    );
    assert.notEqual(fresh.id, old.id);
    assert.equal(fresh.accounts[0].id, id);
    assert.equal((await rowsOf(one.owner, id)).body.data.length, 3);
    now.open = false;
    await one.ask(fresh.id);
    await until(one.connections, ([found]) => found.accounts[0].status === 'unavailable');
  });
});

describe('Rows whose ids migrate', () => {
  it('are delivered once: what was delivered under the former id is updated in its place', async (t) => {
    const one = await world.somebody();
    await one.person.signIn(await one.person.start('nz_banking'), world.signer('kea'));
    const [account = ''] = await accountsOf(one);
    const copy = await copying(one.owner, account);
    t.after(copy.close);
    assert.equal(copy.receiver.rows().size, 3);
    const rows = world.vendor.rows.slice(-3);
    for (const row of rows) {
      row.formerIds.push(row.id);
      row.id = `moved-${row.id}`;
    }
    for (const expected of [3, 0]) {
      const { body } = await one.owner.v2('POST', `/v2/syncs/${copy.sync}/run`, {});
      const run = await until(copy.latest, ({ id, status }) => id === body.id && status === 'succeeded');
      assert.deepEqual([run.counts.added, run.counts.updated], [0, expected]);
    }
    assert.deepEqual(
      [...copy.receiver.rows().keys()].toSorted(),
      rows.map(({ id }) => `txn_ak_${id}`).toSorted(),
    );
    assert.deepEqual([...copy.receiver.newCounts().values()], [1, 1, 1]);
    assert.deepEqual(copy.receiver.faults, []);
  });
});

describe('A refresh that the owner asks for', () => {
  it('has the vendor fetch from the bank again, once in a quarter of an hour', async () => {
    const one = await world.somebody();
    const name = world.signer('kea');
    await one.person.signIn(await one.person.start('nz_banking'), name);
    await accountsOf(one);
    const [{ id }] = await one.connections();
    const { consent = '' } = world.vendor.logins.get(name)?.[0] ?? {};
    const count = (call: string) => world.vendor.calls.filter((made) => made === call).length;
    await one.ask(id);
    await until(
      async () => count(`POST /refresh/${consent}`),
      (asked) => asked === 1,
    );
    const listed = count(`GET /consents/${consent}`);
    await one.ask(id);
    await until(
      async () => count(`GET /consents/${consent}`),
      (asked) => asked > listed,
    );
    assert.equal(count(`POST /refresh/${consent}`), 1);
  });
});

describe('Notifications from one address', () => {
  it('are bounded in size and in number, and others go on [limit provider_webhook_bytes] [limit provider_webhooks_per_minute]', async () => {
    const bounds = { LIMIT_PROVIDER_WEBHOOK_BYTES: '2048', LIMIT_PROVIDER_WEBHOOKS: '5', TRUST_PROXY: '1' };
    const small = await startService(bounds, { integrations: world.integrations });
    try {
      const send = async (bytes: number, from: string): Promise<Response> =>
        fetch(`${small.url}/provider-webhooks/nz_banking`, {
          method: 'POST',
          headers: { 'x-forwarded-for': from, 'content-type': 'application/octet-stream' },
          body: Buffer.alloc(bytes),
        });
      assert.equal((await send(2048, '203.0.113.1')).status, 401);
      assert.equal((await send(2049, '203.0.113.1')).status, 413);
      for (let at = 2; at < 5; at++) assert.equal((await send(10, '203.0.113.1')).status, 401);
      const refused = await send(10, '203.0.113.1');
      assert.equal(refused.status, 429);
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal((await send(10, '203.0.113.9')).status, 401);
    } finally {
      await small.close();
    }
  });
});
