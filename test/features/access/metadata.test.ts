import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { LIMITS } from '../../../src/vocabulary/limits.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer } from '../../support/v2-client.ts';
import { BANK, consentAtBank, linkBank, openCallback, RETURN_URL } from '../linking/person.ts';

const clock = new ShiftedClock();
let service: TestService;
let roomy: TestService;
before(async () => {
  service = await startService({ LIMIT_METADATA_BYTES: '2600', LIMIT_OPEN_LINK_SESSIONS: '3' }, { clock });
  roomy = await startService({ LIMIT_ANSWER_BYTES: '1000000' });
});
after(async () => {
  await service.close();
  await roomy.close();
});

const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const REFUSED = [400, 'parameter_invalid', 'metadata'];
const pairs = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'.repeat(480)]));
const session = (owner: TestOwner, metadata: object | null = null) =>
  owner.v2('POST', '/v2/link_sessions', {
    provider: 'au_banking',
    institution: BANK,
    return_url: RETURN_URL,
    metadata,
  });

describe('the metadata of all objects of one kind', () => {
  const kinds: readonly (readonly [string, string, (no: number) => object])[] = [
    ['categories', '/v2/categories', (no) => ({ name: `c${no}` })],
    ['rulesets', '/v2/rulesets', (no) => ({ name: `r${no}` })],
    ['API keys', '/v2/api_keys', (no) => ({ name: `k${no}`, scopes: ['data:read'] })],
    [
      'destinations',
      '/v2/destinations',
      (no) => ({ type: 'webhook', name: `d${no}`, target: { url: `http://127.0.0.1:9/${no}` } }),
    ],
  ];
  for (const [name, path, body] of kinds) {
    test(`has room for so many bytes, also by an update: ${name} [limit metadata_bytes]`, async () => {
      const owner = await service.owner();
      const made: Answer[] = [];
      for (let no = 0; no < 3; no++)
        made.push(await owner.v2('POST', path, { ...body(no), metadata: pairs(2) }));
      assert.ok(made.slice(0, 2).every(({ status }) => status < 300));
      assert.deepEqual(refusal(made[2] ?? assert.fail()), REFUSED);
      const { body: plain } = await owner.v2('POST', path, { ...body(3), metadata: pairs(1) });
      const update = (metadata: object) => owner.v2('PATCH', `${path}/${plain.id}`, { metadata });
      assert.deepEqual(refusal(await update(pairs(3))), REFUSED);
      assert.equal(Object.keys((await owner.v2('GET', `${path}/${plain.id}`)).body.metadata).length, 1);
      assert.equal((await update({ k0: null })).status, 200);
      assert.ok((await owner.v2('POST', path, { ...body(4), metadata: pairs(1) })).status < 300);
      const other = await service.owner();
      assert.ok((await other.v2('POST', path, { ...body(5), metadata: pairs(5) })).status < 300);
    });
  }

  test('of connections and of open link sessions likewise', async () => {
    const owner = await service.owner();
    const connection = await linkBank(owner);
    const change = (metadata: object) => owner.v2('PATCH', `/v2/connections/${connection}`, { metadata });
    assert.deepEqual(refusal(await change(pairs(7))), REFUSED);
    assert.equal((await change(pairs(5))).status, 200);
    assert.equal((await session(owner, pairs(5))).status, 200);
    assert.deepEqual(refusal(await session(owner, pairs(5))), REFUSED);
    clock.advance(31 * 60_000);
    assert.equal((await session(owner, pairs(5))).status, 200);
  });

  test('that a link session brings never keeps a bank from being linked, and is left out where there is no room', async () => {
    const owner = await service.owner();
    const linked = async (metadata: object) => {
      const { body } = await session(owner, metadata);
      await openCallback(await consentAtBank(body.url));
      const { connection } = (await owner.v2('GET', `/v2/link_sessions/${body.id}`)).body;
      return (await owner.v2('GET', `/v2/connections/${connection}`)).body.metadata;
    };
    assert.deepEqual(await linked(pairs(3)), pairs(3));
    assert.equal(await linked(pairs(3)), null);
    assert.deepEqual(await linked(pairs(1)), pairs(1));
  });

  test('has by default room for what one object may hold many times over', () => {
    assert.ok(LIMITS.metadata_bytes.default >= 15 * 50 * 540);
  });
});

describe('open link sessions', () => {
  test('are so many, renewals among them, until one ends [limit open_link_sessions]', async () => {
    const owner = await service.owner();
    const connection = await linkBank(owner);
    const renew = () =>
      owner.v2('POST', `/v2/connections/${connection}/reauthorize`, { return_url: RETURN_URL });
    for (let no = 0; no < 2; no++) assert.equal((await session(owner)).status, 200);
    assert.equal((await renew()).status, 200);
    for (const refused of [await session(owner), await renew()]) {
      assert.deepEqual(refusal(refused), [429, 'rate_limit_exceeded', null]);
      const wait = Number(refused.headers.get('retry-after'));
      assert.ok(wait > 25 * 60 && wait <= 30 * 60, `${wait} seconds`);
    }
    assert.equal((await session(await service.owner())).status, 200);
    clock.advance(31 * 60_000);
    assert.equal((await session(owner)).status, 200);
  });
});

describe('answers that no one reads', () => {
  test('do not pile up: one more large one is refused, small ones and those of others are not [limit answer_bytes]', async () => {
    const [greedy, other] = [await roomy.owner(), await roomy.owner()];
    for (const owner of [greedy, other])
      for (let no = 0; no < 12; no++)
        await owner.v2('POST', '/v2/categories', { name: `c${no}`, metadata: pairs(50) });
    const list = (owner: TestOwner) => owner.v2('GET', '/v2/categories');
    assert.equal((await list(greedy)).status, 200);
    const line = `GET /v2/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy.key}\r\nService-Version: 2026-10-01.wattle\r\n\r\n`;
    const socket = connect(Number(new URL(roomy.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(line.repeat(20));
    let refused = await list(greedy);
    for (let tried = 0; refused.status === 200 && tried < 200; tried++) {
      // Of many at once most are refused, and what was admitted fits into the buffers of the system.
      socket.write(line.repeat(5));
      await new Promise((resolve) => setTimeout(resolve, 50));
      refused = await list(greedy);
    }
    assert.deepEqual(refusal(refused), [429, 'rate_limit_exceeded', null]);
    assert.equal((await greedy.v2('GET', '/v2/me')).status, 200);
    assert.equal((await list(other)).status, 200);
    socket.destroy();
    let again = await list(greedy);
    for (let tried = 0; again.status !== 200 && tried < 200; tried++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      again = await list(greedy);
    }
    assert.equal(again.status, 200);
  });
});
