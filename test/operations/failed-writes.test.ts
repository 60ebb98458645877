import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { linkBank } from '../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';

let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await startService();
  owner = await service.owner();
});
after(() => service.close());

/** The database refuses rows of a table for as long as `work` takes, as a full disk would. */
async function withBrokenTable(table: string, work: () => Promise<void>): Promise<void> {
  const { db } = service.app.database;
  await sql`alter table ${sql.table(table)} add constraint out_of_order check (false) not valid`.execute(db);
  try {
    await work();
  } finally {
    await sql`alter table ${sql.table(table)} drop constraint out_of_order`.execute(db);
  }
}

describe('a write that the database fails leaves nothing behind and says that it may be repeated', () => {
  test('creating a key: api_key_create_failed', async () => {
    const body = { name: 'reader', scopes: ['data:read'] };
    await withBrokenTable('api_keys', async () => {
      const answer = await owner.v2('POST', '/v2/api_keys', body);
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'api_key_create_failed']);
    });
    assert.equal((await owner.v2('POST', '/v2/api_keys', body)).status, 201);
  });

  test('creating a destination, rotating its secret: destination_create_failed, destination_rotate_failed', async () => {
    const body = { type: 'webhook', name: 'books', target: { url: 'http://127.0.0.1:9/hook' } };
    await withBrokenTable('destinations', async () => {
      const answer = await owner.v2('POST', '/v2/destinations', body);
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'destination_create_failed']);
    });
    const created = await owner.v2('POST', '/v2/destinations', body);
    assert.equal(created.status, 200);
    await withBrokenTable('destinations', async () => {
      const answer = await owner.v2('POST', `/v2/destinations/${created.body.id}/rotate_secret`);
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'destination_rotate_failed']);
    });
    assert.equal((await owner.v2('POST', `/v2/destinations/${created.body.id}/rotate_secret`)).status, 200);
  });

  test('creating a link session: link_session_create_failed', async () => {
    const institutions = await owner.v2('GET', '/v2/institutions?provider=au_banking');
    const body = {
      provider: 'au_banking',
      institution: institutions.body.data[0].id,
      return_url: 'https://example.test/',
    };
    await withBrokenTable('link_sessions', async () => {
      const answer = await owner.v2('POST', '/v2/link_sessions', body);
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'link_session_create_failed']);
    });
    assert.equal((await owner.v2('POST', '/v2/link_sessions', body)).status, 200);
  });

  test('planting, creating, resetting categories: categories_seed_failed, category_create_failed', async () => {
    const refused = async (code: string, method: string, path: string, body?: unknown) => {
      await withBrokenTable('categories', async () => {
        const answer = await owner.v2(method, path, body);
        assert.deepEqual([answer.status, answer.body.error.code], [409, code]);
      });
    };
    await refused('categories_seed_failed', 'GET', '/v2/categories');
    const { body: planted } = await owner.v2('GET', '/v2/categories');
    assert.ok(planted.data.length > 0);
    await refused('category_create_failed', 'POST', '/v2/categories', { name: 'mine' });
    await refused('categories_seed_failed', 'POST', '/v2/categories/reset', { confirm: true });
    assert.deepEqual((await owner.v2('GET', '/v2/categories')).body, planted);
    assert.equal((await owner.v2('POST', '/v2/categories/reset', { confirm: true })).status, 200);
  });

  test('creating a sync: sync_create_failed', async () => {
    const connection = await linkBank(owner);
    const accounts = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    const target = { url: 'http://127.0.0.1:9/sync' };
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target,
    });
    const body = {
      type: 'transactions',
      name: 'books',
      destination: destination.body.id,
      accounts: [accounts.body.data[0].id],
      mapping_mode: 'bulk',
      run_now: false,
    };
    await withBrokenTable('syncs', async () => {
      const answer = await owner.v2('POST', '/v2/syncs', body);
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'sync_create_failed']);
    });
    assert.equal((await owner.v2('POST', '/v2/syncs', body)).status, 201);
  });
});
