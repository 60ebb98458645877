import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { withBrokenTable } from '../../operations/broken-table.ts';
import { assertDescribed } from '../../support/described-answer.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';
import { BANK, linkBank, RETURN_URL, until } from '../linking/person.ts';

let service: TestService;
let owner: TestOwner;

before(async () => {
  // So that a link session asks the bank for its list each time.
  service = await startService({ LIMIT_INSTITUTIONS_CACHE_SECONDS: '0' });
});
after(() => service.close());
beforeEach(async () => {
  owner = await service.owner();
});

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly key: string | null;
  readonly replayed: string | null;
}

/** The answer as it came, byte for byte. */
async function send(
  method: string,
  path: string,
  body: unknown,
  key: string | null,
  as = owner.key,
): Promise<Sent> {
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      'service-version': '2026-10-01.wattle',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status, headers } = response;
  const text = await response.text();
  assertDescribed(method, path, { status, headers, body: JSON.parse(text) });
  return {
    status,
    text,
    key: response.headers.get('idempotency-key'),
    replayed: response.headers.get('idempotent-replayed'),
  };
}

const codeOf = ({ text }: Sent) => JSON.parse(text).error.code;
const reader = { name: 'reader', scopes: ['data:read'] };
const hook = (name: string) => ({ type: 'webhook', name, target: { url: `http://127.0.0.1:9/${name}` } });

/** How many keys the owner has besides the one they call with. */
async function keysMade(): Promise<number> {
  return (await owner.v2('GET', '/v2/api_keys')).body.data.length - 1;
}

async function stored(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from idempotency_keys where account_record = ${owner.record.id}`.execute(
    service.app.database.db,
  );
  return rows[0]?.count ?? -1;
}

describe('the same key and the same request', () => {
  test('get the same answer byte for byte, its status and secret too, and nothing is made twice', async () => {
    const first = await send('POST', '/v2/api_keys', reader, 'key one');
    assert.deepEqual([first.status, first.key, first.replayed], [201, 'key one', null]);
    const again = await send('POST', '/v2/api_keys', reader, 'key one');
    assert.deepEqual(again, { ...first, replayed: 'true' });
    const { secret } = JSON.parse(again.text);
    assert.equal((await v2Client(service.url, secret)('GET', '/v2/me')).status, 200);
    assert.equal(await keysMade(), 1);
  });

  test('also when the members of the body come in another order, or as PATCH', async () => {
    const { id } = JSON.parse((await send('POST', '/v2/destinations', hook('books'), 'make')).text);
    const change = '{"name": "b", "metadata": {"x": "1", "y": "2"}}';
    const first = await send('POST', `/v2/destinations/${id}`, change, 'change');
    const again = await send(
      'PATCH',
      `/v2/destinations/${id}`,
      '{"metadata":{"y":"2","x":"1"},"name":"b"}',
      'change',
    );
    assert.equal(first.status, 200);
    assert.deepEqual(again, { ...first, replayed: 'true' });
  });

  test('of a deletion answer the deletion again, not that it is missing', async () => {
    const { id } = JSON.parse((await send('POST', '/v2/destinations', hook('gone'), null)).text);
    const first = await send('DELETE', `/v2/destinations/${id}`, undefined, 'delete');
    assert.deepEqual(await send('DELETE', `/v2/destinations/${id}`, undefined, 'delete'), {
      ...first,
      replayed: 'true',
    });
    assert.equal(
      codeOf(await send('DELETE', `/v2/destinations/${id}`, undefined, 'another')),
      'resource_missing',
    );
  });
});

test('what queues runs under a key queues them once, and a worker takes them', async (t) => {
  const receiver = createServer((request, response) => void request.resume().on('end', () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => receiver.close());
  const address = receiver.address();
  assert.ok(address !== null && typeof address !== 'string');
  const connection = await linkBank(owner);
  const { body: destination } = await owner.v2('POST', '/v2/destinations', {
    ...hook('books'),
    target: { url: `http://127.0.0.1:${address.port}/` },
  });
  const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
  const sync = {
    type: 'transactions',
    name: 'books',
    destination: destination.id,
    accounts: [accounts.data[0].id],
    mapping_mode: 'bulk',
  };
  const twice = async (path: string, body: unknown): Promise<Sent> => {
    const first = await send('POST', path, body, `key for ${path}`);
    assert.ok(first.status < 300, first.text);
    assert.deepEqual(await send('POST', path, body, `key for ${path}`), { ...first, replayed: 'true' });
    return first;
  };
  const { id } = JSON.parse((await twice('/v2/syncs', sync)).text);
  await twice(`/v2/syncs/${id}/resync`, { confirm: true });
  await twice(`/v2/connections/${connection}/refresh`, undefined);
  const runs = await until(
    async () => (await owner.v2('GET', `/v2/syncs/${id}/runs`)).body.data,
    (found) => found.every(({ status }: { status: string }) => ['succeeded', 'failed'].includes(status)),
  );
  // The resync superseded the first run or followed it; the refresh found one open or queued one.
  assert.ok(runs.length === 2 || runs.length === 3, `${runs.length} runs`);
});

describe('the same key and another request', () => {
  test('are idempotency_key_reused: another body, path, query or operation', async () => {
    const one = JSON.parse((await send('POST', '/v2/destinations', hook('one'), null)).text).id;
    const two = JSON.parse((await send('POST', '/v2/destinations', hook('two'), null)).text).id;
    assert.equal((await send('POST', `/v2/destinations/${one}`, { name: 'x' }, 'k')).status, 200);
    for (const other of [
      await send('POST', `/v2/destinations/${one}`, { name: 'y' }, 'k'),
      await send('POST', `/v2/destinations/${two}`, { name: 'x' }, 'k'),
      await send('POST', '/v2/api_keys', reader, 'k'),
      await send('DELETE', `/v2/destinations/${one}`, undefined, 'k'),
    ]) {
      assert.deepEqual([other.status, codeOf(other), other.key], [409, 'idempotency_key_reused', 'k']);
    }
    const connection = await linkBank(owner);
    const path = `/v2/connections/${connection}`;
    assert.equal((await send('POST', path, { metadata: { a: '1' } }, 'query')).status, 200);
    const withQuery = await send('POST', `${path}?include[]=accounts`, { metadata: { a: '1' } }, 'query');
    assert.equal(codeOf(withQuery), 'idempotency_key_reused');
    assert.equal(await keysMade(), 0);
  });
});

describe('a first attempt that failed', () => {
  test('leaves nothing: 400, 404, 409 and 500 run again', async () => {
    const refused = await send('POST', '/v2/api_keys', { ...reader, expires_at: 'soon' }, 'k');
    assert.deepEqual([refused.status, refused.key], [400, 'k']);
    const missing = await send('DELETE', '/v2/syncs/sync_0000000000000000000000', undefined, 'k');
    assert.equal(missing.status, 404);
    await withBrokenTable(service, 'api_keys', async () => {
      const conflict = await send('POST', '/v2/api_keys', reader, 'k');
      assert.deepEqual([conflict.status, codeOf(conflict)], [409, 'api_key_create_failed']);
    });
    await withBrokenTable(service, 'idempotency_keys', async () => {
      const broken = await send('POST', '/v2/api_keys', reader, 'k');
      assert.deepEqual([broken.status, codeOf(broken)], [500, 'internal_error']);
    });
    assert.equal(await keysMade(), 0);
    assert.equal(await stored(), 0);
    const made = await send('POST', '/v2/api_keys', reader, 'k');
    assert.deepEqual([made.status, made.replayed], [201, null]);
    assert.equal(await keysMade(), 1);
  });
});

describe('while the first attempt runs', () => {
  test('the same key is idempotency_key_in_use at once, and afterwards gets its answer', async () => {
    const path = `/v2/connections/${await linkBank(owner)}`;
    const bank = sandboxBank(service.app);
    bank?.addFault({ route: 'DELETE /v1/consent/*', kind: 'latency', latencyMs: 3_000 });
    let over = false;
    const first = send('DELETE', path, undefined, 'k').finally(() => {
      over = true;
    });
    const { db } = service.app.database;
    const reserved = sql<{ held: boolean }>`
      select exists (select 1 from idempotency_keys where account_record = ${owner.record.id}) as held`;
    while ((await reserved.execute(db)).rows[0]?.held !== true);
    const second = await send('DELETE', path, undefined, 'k');
    assert.deepEqual([second.status, codeOf(second)], [409, 'idempotency_key_in_use']);
    assert.equal(over, false, 'it waited for the first');
    const { status } = await first;
    bank?.clear();
    assert.equal(status, 200);
    assert.equal((await send('DELETE', path, undefined, 'k')).replayed, 'true');
  });

  test('no transaction waits for the bank: others write meanwhile', async () => {
    const bank = sandboxBank(service.app);
    bank?.addFault({ route: '*', kind: 'latency', latencyMs: 3_000, count: 5 });
    const body = { provider: 'au_banking', institution: BANK, return_url: RETURN_URL };
    let over = false;
    const first = send('POST', '/v2/link_sessions', body, 'k').finally(() => {
      over = true;
    });
    const others = await Promise.all([
      send('POST', '/v2/api_keys', reader, 'other'),
      send('POST', '/v2/api_keys', reader, null),
    ]);
    assert.deepEqual(
      others.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(over, false, 'the bank has answered already');
    const made = await first;
    bank?.clear();
    assert.equal(made.status, 200);
    assert.deepEqual(await send('POST', '/v2/link_sessions', body, 'k'), { ...made, replayed: 'true' });
  });
});

describe('the header', () => {
  test('is optional: one is generated and answered, and nothing is stored', async () => {
    const [one, two] = [
      await send('POST', '/v2/api_keys', reader, null),
      await send('POST', '/v2/api_keys', reader, null),
    ];
    assert.match(one.key ?? '', /^idem_[0-9a-f]{24}$/);
    assert.notEqual(one.key, two.key);
    assert.equal(await stored(), 0);
  });

  test('is ignored where nothing is changed', async () => {
    for (const key of ['k', 'x'.repeat(300), null]) {
      const answer = await send('GET', '/v2/me', undefined, key);
      assert.deepEqual([answer.status, answer.key, answer.replayed], [200, null, null]);
    }
    assert.equal(await stored(), 0);
  });

  test('is idempotency_key_invalid when it is empty, too long or not printable ASCII', async () => {
    for (const key of ['', 'x'.repeat(256), 'caf\u00e9', 'tab\tinside']) {
      const answer = await send('POST', '/v2/api_keys', reader, key);
      assert.deepEqual(
        [answer.status, codeOf(answer), answer.key],
        [400, 'idempotency_key_invalid', null],
        key,
      );
    }
    assert.equal((await send('POST', '/v2/api_keys', reader, 'x'.repeat(255))).status, 201);
    assert.equal(await keysMade(), 1);
  });

  test('does not open the way to a body that nests too deep to be compared', async () => {
    const deep = `{"name": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    assert.equal((await send('POST', '/v2/api_keys', deep, 'k')).status, 400);
  });
});

test('what is stored tells nothing: neither key, nor request, nor answer can be read in the database', async () => {
  const body = { ...reader, name: 'a name to look for', metadata: { mark: 'a value to look for' } };
  const { text } = await send('POST', '/v2/api_keys', body, 'a key to look for');
  const { secret } = JSON.parse(text);
  const { rows } = await sql<{ line: string }>`
    select t::text || encode(id, 'escape') || encode(answer, 'escape') as line from idempotency_keys t
    where account_record = ${owner.record.id}`.execute(service.app.database.db);
  assert.equal(rows.length, 1);
  for (const mark of [secret, body.name, body.metadata.mark, 'a key to look for', '"object"', 'secret']) {
    for (const form of [mark, Buffer.from(mark).toString('hex'), Buffer.from(mark).toString('base64')]) {
      assert.ok(!rows[0]?.line.includes(form.replace(/=+$/, '')), mark);
    }
  }
});

test('a key that is revoked under an idempotency key works nowhere from its answer on', async () => {
  for (let round = 0; round < 5; round++) {
    const made = JSON.parse((await send('POST', '/v2/api_keys', reader, null)).text);
    const theirs = v2Client(service.url, made.secret);
    assert.equal((await theirs('GET', '/v2/me')).status, 200);
    const asking = Array.from({ length: 5 }, () => theirs('GET', '/v2/me'));
    const revoked = send('DELETE', `/v2/api_keys/${made.id}`, undefined, `revoke ${round}`);
    await Promise.all([revoked, ...asking]);
    assert.equal((await revoked).status, 200);
    assert.equal((await theirs('GET', '/v2/me')).status, 401);
  }
});

test('the answers about a connection go with it; that it was deleted is answered again', async () => {
  const owner = await service.owner();
  const id = await linkBank(owner);
  const update = () =>
    owner.v2(
      'POST',
      `/v2/connections/${id}?include[]=accounts`,
      { metadata: { a: 'b' } },
      { 'idempotency-key': 'u' },
    );
  const remove = () => owner.v2('DELETE', `/v2/connections/${id}`, undefined, { 'idempotency-key': 'd' });
  assert.equal((await update()).status, 200);
  assert.equal((await update()).headers.get('idempotent-replayed'), 'true');
  const removed = await remove();
  assert.equal(removed.status, 200);
  const again = await update();
  assert.equal(again.headers.get('idempotent-replayed'), null);
  assert.ok(!JSON.stringify(again.body).includes('xxxx'), 'no account is named any more');
  const repeated = await remove();
  assert.deepEqual([repeated.status, repeated.headers.get('idempotent-replayed')], [200, 'true']);
  assert.deepEqual(repeated.body, removed.body);
});

test('what an operation does to the world is decided for each: these reach out, these only read', () => {
  const of = (effect: string) =>
    OPERATIONS.filter((operation) => operation.method !== 'GET' && operation.effect === effect).map(
      ({ id }) => id,
    );
  assert.deepEqual(of('reaches_out'), [
    'delete_connection',
    'create_document',
    'take_document',
    'create_destination_target',
    'replay_webhook_delivery',
    'replay_sync',
  ]);
  assert.deepEqual(of('reads'), ['dry_run_sync', 'verify_sync', 'preview_ruleset']);
  assert.ok(OPERATIONS.every(({ method, effect }) => method !== 'GET' || effect === 'reads'));
});

test('a service that was started again answers what it answered before', async () => {
  const first = await send('POST', '/v2/api_keys', reader, 'before');
  service = await service.restart();
  assert.deepEqual(await send('POST', '/v2/api_keys', reader, 'before'), { ...first, replayed: 'true' });
});
