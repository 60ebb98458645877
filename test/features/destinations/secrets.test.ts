import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DestinationSecrets } from '../../../src/features/destinations/destination-secrets.ts';
import { EncryptionRotation } from '../../../src/features/encryption/encryption-rotation.ts';
import { openKeyring } from '../../../src/features/encryption/open-keyring.ts';
import { parseKeyring } from '../../../src/platform/keyring.ts';
import { findDestination } from '../../../src/storage/destinations.ts';
import { parsePublicId, type RowId } from '../../../src/vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../src/vocabulary/limits.ts';
import { RETURN_URL, TARGETS, WITHOUT_LINKED } from '../../connectors/destinations/support/linked.ts';
import { Vendor } from '../../connectors/destinations/support/vendor.ts';
import { vendorConnector } from '../../connectors/destinations/support/vendor-connector.ts';
import { withPatience } from '../../support/patience.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { dump } from '../linking/world.ts';

const PASSWORDS = ['c0rrect-h0rse', 'battery-staple', 'wr0ng-passw0rd'] as const;
const [SECRET, OTHER, WRONG] = [
  `postgres://books:${PASSWORDS[0]}@db.example/money`,
  `postgres://books:${PASSWORDS[1]}@db.example/money`,
  `postgres://books:${PASSWORDS[2]}@db.example/money`,
];

const OLD = `old:${randomBytes(32).toString('base64')}`;
const NEW = `new:${randomBytes(32).toString('base64')}`;
const vendor = new Vendor();
const logged: string[] = [];
let service: TestService;
let owner: TestOwner;
before(async () => {
  await vendor.open();
  service = await startService(
    { LIMIT_SIGN_INS_AT_ONCE: '4', ENCRYPTION_KEY: OLD, LOG_LEVEL: 'debug' },
    {
      integrations: WITHOUT_LINKED,
      connectors: (http) => [
        vendorConnector('postgres', vendor.origin, http),
        vendorConnector('sheets', vendor.origin, http),
      ],
      destination: { write: (line) => void logged.push(line) },
    },
  );
});
beforeEach(async () => {
  owner = await service.owner();
  vendor.troubles.clear();
  vendor.secrets.clear();
  vendor.secrets.add(SECRET).add(OTHER);
  vendor.calls.length = 0;
});
after(async () => {
  await service.close();
  await vendor.close();
});

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  const { error } = answer.body;
  assert.deepEqual([answer.status, error?.code, error?.param], [status, code, param], JSON.stringify(error));
}

const create = (body: object, by: TestOwner = owner) =>
  by.v2('POST', '/v2/destinations', { type: 'postgres', ...body });
const update = (id: string, body: object) => owner.v2('POST', `/v2/destinations/${id}`, body);
const stored = (id: string): RowId<'destination'> => parsePublicId('destination', id) ?? assert.fail();

async function created(body: object = {}): Promise<Json> {
  const answer = await create({ secret: SECRET, ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function grantOf(id: string): Promise<string | null> {
  const { db } = service.app.database;
  const row = (await findDestination(db, owner.record.id, stored(id))) ?? assert.fail();
  return new DestinationSecrets(await openKeyring(db, service.app.config)).grant(row);
}

async function setStatus(id: string, status: 'reauth_required'): Promise<void> {
  const { db } = service.app.database;
  await db.updateTable('destinations').set({ status }).where('id', '=', stored(id)).execute();
}

describe('a destination that connects with a secret', () => {
  test('begins as a draft named after the server, or active under its own name and target', async () => {
    const draft = await created();
    assert.deepEqual([draft.status, draft.name, draft.target], ['incomplete', 'Signed in', {}]);
    const ready = await created({ name: 'Books', target: TARGETS.postgres });
    assert.deepEqual([ready.status, ready.name, ready.target], ['active', 'Books', TARGETS.postgres]);
    assert.equal((await update(draft.id, { target: TARGETS.postgres })).body.status, 'active');
    const { schema, ...half } = TARGETS.postgres ?? {};
    assert.ok(schema);
    refused(await create({ secret: SECRET, target: half }), 400, 'parameter_missing', 'target.schema');
  });

  test('is not made with a secret that is refused, missing or too long', async () => {
    const answer = await create({ secret: WRONG });
    refused(answer, 400, 'parameter_invalid', 'secret');
    assert.match(answer.body.error.message, /The server knows no such user\./);
    refused(await create({}), 400, 'parameter_missing', 'secret');
    const long = 'x'.repeat(FIXED_LIMITS.url_characters + 1);
    refused(await create({ secret: long }), 400, 'parameter_invalid', 'secret');
    assert.deepEqual((await owner.v2('GET', '/v2/destinations')).body.data, []);
  });

  test('reports a server that does not answer as such, not as a wrong secret', async () => {
    vendor.troubles.set('/sign-in', 'hang');
    const silent = await withReadDeadline(service, 500, () => create({ secret: SECRET }));
    refused(silent, 503, 'upstream_timeout');
    vendor.troubles.set('/sign-in', { status: 500 });
    refused(await create({ secret: SECRET }), 503, 'upstream_unavailable');
  });

  test('gets another secret only if that one is accepted, and then needs no attention any more [move destination: new secret accepted]', async () => {
    const { id } = await created({ target: TARGETS.postgres });
    await setStatus(id, 'reauth_required');
    const lapsed = await owner.v2('GET', `/v2/destinations/${id}/resources?type=schema`);
    refused(lapsed, 424, 'upstream_auth_failed');
    assert.match(lapsed.body.error.message, /new secret/);
    refused(await update(id, { secret: WRONG, name: 'Renamed' }), 400, 'parameter_invalid', 'secret');
    const before = await owner.v2('GET', `/v2/destinations/${id}`);
    assert.deepEqual([before.body.status, before.body.name], ['reauth_required', 'Signed in']);
    assert.equal(await grantOf(id), `grant of ${SECRET}`);
    const { body } = await update(id, { secret: OTHER });
    assert.deepEqual([body.status, body.target], ['active', TARGETS.postgres]);
    assert.equal(await grantOf(id), `grant of ${OTHER}`);
  });

  test('of another owner takes no secret, and no one is asked', async () => {
    const { id } = await created();
    const other = await service.owner();
    vendor.calls.length = 0;
    refused(
      await other.v2('POST', `/v2/destinations/${id}`, { secret: OTHER }),
      404,
      'resource_missing',
      null,
    );
    assert.deepEqual(vendor.calls, []);
  });
});

test('Types that connect in another way refuse a secret, and those that connect with one have no link', async () => {
  const hook = { type: 'webhook', name: 'Hook', target: { url: 'http://127.0.0.1:9/secrets' } };
  refused(await create({ ...hook, secret: SECRET }), 400, 'parameter_invalid', 'secret');
  refused(await create({ type: 'sheets', secret: SECRET }), 400, 'parameter_invalid', 'secret');
  refused(await create({ type: 'actual', secret: SECRET }), 400, 'not_supported', 'type');
  refused(await create({ type: 'webhook', target: hook.target }), 400, 'parameter_missing', 'name');
  const { body } = await create(hook);
  refused(await update(body.id, { secret: SECRET }), 400, 'parameter_invalid', 'secret');
  const link = { type: 'postgres', return_url: RETURN_URL };
  const answer = await owner.v2('POST', '/v2/destination_links', link);
  refused(answer, 400, 'parameter_invalid', 'type');
  assert.match(answer.body.error.message, /POST \/v2\/destinations/);
  assert.deepEqual(vendor.calls, []);
});

test('One greedy owner leaves room for the secrets of others [limit sign_ins_at_once]', async () => {
  // What hangs has to hang for longer than it takes to ask for the others.
  await withPatience([1000, 6000], (ms) =>
    withReadDeadline(service, ms, async () => {
      vendor.calls.length = 0;
      vendor.troubles.set('/sign-in', 'hang');
      const many = await Promise.all(Array.from({ length: 4 }, () => create({ secret: SECRET })));
      const codes = many.map(({ body }) => body.error.code);
      assert.deepEqual(codes.toSorted(), [
        'too_many_concurrent_requests',
        'too_many_concurrent_requests',
        'upstream_timeout',
        'upstream_timeout',
      ]);
      assert.ok(many.every(({ status, headers }) => status !== 429 || headers.has('retry-after')));
      const greedy = Array.from({ length: 3 }, () => create({ secret: SECRET }));
      while (vendor.calls.length < 4) await new Promise((resolve) => setImmediate(resolve));
      vendor.troubles.clear();
      assert.equal((await create({ secret: SECRET }, await service.owner())).status, 200);
      await Promise.all(greedy);
    }),
  );
  assert.equal((await create({ secret: SECRET })).status, 200);
});

test('A repeat under one idempotency key makes one destination, and another secret is another request', async () => {
  const key = { 'Idempotency-Key': 'connect-once' };
  const send = (secret: string) => owner.v2('POST', '/v2/destinations', { type: 'postgres', secret }, key);
  const first = await send(SECRET);
  assert.deepEqual((await send(SECRET)).body, first.body);
  refused(await send(OTHER), 409, 'idempotency_key_reused');
  assert.equal((await owner.v2('GET', '/v2/destinations')).body.data.length, 1);
});

test('A secret is in no answer, log line or row, whether it was accepted, refused or could not be tried', async () => {
  const key = { 'Idempotency-Key': 'hidden' };
  const shown: unknown[] = [await created()];
  shown.push((await owner.v2('POST', '/v2/destinations', { type: 'postgres', secret: OTHER }, key)).body);
  const { id } = await created();
  shown.push((await update(id, { secret: OTHER })).body, (await update(id, { secret: WRONG })).body);
  vendor.troubles.set('/sign-in', { status: 500 });
  shown.push((await update(id, { secret: WRONG })).body);
  shown.push((await create({ secret: { wrong: WRONG } })).body, (await create({ secret: [WRONG] })).body);
  shown.push((await owner.v2('GET', '/v2/destinations')).body);
  const texts = [JSON.stringify(shown), logged.join('\n'), await dump(service.app.database.db)];
  assert.ok(texts.every((text) => text.length > 200));
  for (const password of PASSWORDS) {
    for (const form of [password, Buffer.from(password).toString('hex')]) {
      assert.ok(!texts.some((text) => text.includes(form)), `${form} shows`);
    }
  }
});

// Runs last: afterwards the service lacks the key that its rows are sealed with.
test('A change of the encryption key seals the secret again, and the old key is not needed any more', async () => {
  const { id } = await created();
  const { database, notices } = service.app;
  const { db } = database;
  const source = { encryptionKey: `${NEW},${OLD}`, dataDir: service.dataDir };
  const keyring = parseKeyring(source.encryptionKey, 'a test');
  const rotation = new EncryptionRotation({ db, keyring, notices, source });
  await rotation.begin();
  while ((await rotation.sealAnew(performance.now() + 1_000)) > 0);
  const row = (await findDestination(db, owner.record.id, stored(id))) ?? assert.fail();
  assert.equal(new DestinationSecrets(parseKeyring(NEW, 'a test')).grant(row), `grant of ${SECRET}`);
  assert.throws(() => new DestinationSecrets(parseKeyring(OLD, 'a test')).grant(row), /encryption key "new"/);
});
