import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Answer, v2Client } from '../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService();
});
after(() => service.close());
beforeEach(async () => {
  owner = await service.owner();
});

const reader = { name: 'reader', scopes: ['data:read'] };
const hook = { type: 'webhook', name: 'books', target: { url: 'http://127.0.0.1:9/books' } };
const scopes = ['keys:write', 'data:read', 'destinations:write', 'rules:write'];

type Asker = (path: string, body: unknown) => Promise<Answer>;

/** Asks under one idempotency key, with whichever API key. */
const asker = (secret: string): Asker => {
  const ask = v2Client(service.url, secret);
  return (path, body) => ask('POST', path, body, { 'idempotency-key': 'once' });
};
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const newKey = async () => (await owner.v2('POST', '/v2/api_keys', { name: 'k', scopes })).body;
const rotated = async (id: string) => (await owner.v2('POST', `/v2/api_keys/${id}/rotate`)).body;
const keysMade = async () =>
  (await owner.v2('GET', '/v2/api_keys?limit=100')).body.data.filter(
    ({ name }: { readonly name: string }) => name === reader.name,
  ).length;

describe('an idempotency key is of the account record, whichever API key it comes with', () => {
  test('a client that retries after rotating its key does not do the work twice', async () => {
    const key = await newKey();
    const first = await asker(key.secret)('/v2/rulesets', { name: 'Tidy' });
    const next = await rotated(key.id);
    const again = await asker(next.secret)('/v2/rulesets', { name: 'Tidy' });
    assert.deepEqual([again.body, replayed(again)], [first.body, 'true']);
    assert.equal((await owner.v2('GET', '/v2/rulesets')).body.data.length, 1);
  });

  test('nor does one that retries with any other key, or asks for something else', async () => {
    const [one, other] = [asker((await newKey()).secret), asker((await newKey()).secret)];
    const first = await one('/v2/rulesets', { name: 'Tidy' });
    assert.deepEqual((await other('/v2/rulesets', { name: 'Tidy' })).body, first.body);
    const another = await other('/v2/rulesets', { name: 'Neat' });
    assert.deepEqual([another.status, another.body.error.code], [409, 'idempotency_key_reused']);
  });

  test('two owners do not meet under the same key', async () => {
    const stranger = await service.owner();
    await asker(owner.key)('/v2/rulesets', { name: 'Tidy' });
    const theirs = await asker(stranger.key)('/v2/rulesets', { name: 'Tidy' });
    assert.deepEqual([theirs.status, replayed(theirs)], [200, null]);
  });
});

describe('an answer that holds a secret is answered again', () => {
  test('to the key that asked, and to its replacements', async () => {
    const key = await newKey();
    const first = await asker(key.secret)('/v2/api_keys', reader);
    const next = await rotated(key.id);
    const afterNext = await rotated(next.id);
    for (const { secret } of [key, next, afterNext]) {
      const again = await asker(secret)('/v2/api_keys', reader);
      assert.deepEqual([again.body.secret, replayed(again)], [first.body.secret, 'true']);
    }
    assert.equal(await keysMade(), 1);
  });

  test('to no key that asked under the same Idempotency-Key before that had run out', async () => {
    const [earlier, later] = [await newKey(), await newKey()];
    await asker(earlier.secret)('/v2/api_keys', reader);
    await sql`update idempotency_keys set created = created - interval '31 days'`.execute(
      service.app.database.db,
    );
    const made = await asker(later.secret)('/v2/api_keys', reader);
    assert.deepEqual([made.status, replayed(made)], [201, null]);
    const asked = await asker(earlier.secret)('/v2/api_keys', reader);
    assert.equal(asked.body.secret, undefined, 'it was shown the secret of another key');
    const again = await asker(later.secret)('/v2/api_keys', reader);
    assert.deepEqual([again.body.secret, replayed(again)], [made.body.secret, 'true']);
  });

  test('to no other key, not even the one that was replaced, and the work is not done again', async () => {
    const key = await newKey();
    const next = await rotated(key.id);
    const first = await asker(next.secret)('/v2/api_keys', reader);
    assert.equal(first.status, 201);
    for (const { secret } of [key, await newKey()]) {
      const refused = await asker(secret)('/v2/api_keys', reader);
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'idempotency_key_reused']);
      assert.match(refused.body.error.message, /Another API key/);
      assert.ok(!JSON.stringify(refused.body).includes(first.body.secret));
    }
    assert.equal(await keysMade(), 1);
  });

  test('a signing secret like the secret of a key', async () => {
    const [one, other] = [asker((await newKey()).secret), asker((await newKey()).secret)];
    const made = await one('/v2/destinations', hook);
    assert.ok(made.body.config.signing_secret);
    assert.equal(
      (await one('/v2/destinations', hook)).body.config.signing_secret,
      made.body.config.signing_secret,
    );
    assert.equal((await other('/v2/destinations', hook)).body.error.code, 'idempotency_key_reused');
  });

  test('and these are the operations whose answers hold one', () => {
    const found = OPERATIONS.filter(({ answersSecret }) => answersSecret).map(({ id }) => id);
    assert.deepEqual(found, [
      'create_api_key',
      'rotate_api_key',
      'create_simplefin_setup_token',
      'create_destination',
      'rotate_destination_secret',
      'create_event_destination',
      'rotate_event_destination_secret',
    ]);
  });
});
