import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../src/platform/clock.ts';
import { Browser } from '../features/linking/browser.ts';
import { consentAtBank, openCallback, startSession, until } from '../features/linking/person.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await startService({}, { clock });
  owner = await service.owner();
});
after(() => service.close());

describe('an API key', () => {
  const make = async (more: object = {}) => {
    const { status, body } = await owner.v2('POST', '/v2/api_keys', {
      name: 'k',
      scopes: ['data:read'],
      ...more,
    });
    assert.equal(status, 201);
    const path = `/v2/api_keys/${body.id}`;
    return {
      status: async () => (await owner.v2('GET', path)).body.status,
      rotate: async () => assert.equal((await owner.v2('POST', `${path}/rotate`)).status, 201),
      revoke: async () => assert.equal((await owner.v2('DELETE', path)).status, 200),
    };
  };
  const inAnHour = () => ({ expires_at: new Date(clock.now() + 60 * MINUTE).toISOString() });

  test('is expiring once it is rotated, and expired when its grace is over [move api_key: rotated] [move api_key: reached its expiry]', async () => {
    const key = await make();
    assert.equal(await key.status(), 'active');
    await key.rotate();
    assert.equal(await key.status(), 'expiring');
    clock.advance(7 * DAY - MINUTE);
    assert.equal(await key.status(), 'expiring');
    clock.advance(MINUTE);
    assert.equal(await key.status(), 'expired');
  });

  test('is expired at its expires_at [move api_key: reached its expiry]', async () => {
    const key = await make(inAnHour());
    assert.equal(await key.status(), 'active');
    clock.advance(60 * MINUTE);
    assert.equal(await key.status(), 'expired');
  });

  test('is revoked from wherever it stood [move api_key: revoked]', async () => {
    const [active, expiring, expired] = [await make(), await make(), await make(inAnHour())];
    await expiring.rotate();
    clock.advance(60 * MINUTE);
    const all = [active, expiring, expired];
    assert.deepEqual(await Promise.all(all.map((key) => key.status())), ['active', 'expiring', 'expired']);
    for (const key of all) await key.revoke();
    assert.deepEqual(await Promise.all(all.map((key) => key.status())), ['revoked', 'revoked', 'revoked']);
  });
});

describe('a link session', () => {
  const start = async () => {
    const { id, url } = await startSession(owner);
    const status = async () => (await owner.v2('GET', `/v2/link_sessions/${id}`)).body.status;
    assert.equal(await status(), 'pending');
    return { url, status };
  };

  test('is completed when the person has consented [move link_session: consent completed]', async () => {
    const session = await start();
    await openCallback(await consentAtBank(session.url));
    assert.equal(await session.status(), 'completed');
  });

  test('has failed when the person has refused [move link_session: consent failed]', async () => {
    const session = await start();
    await openCallback(await consentAtBank(session.url, { outcome: 'deny' }));
    assert.equal(await session.status(), 'failed');
  });

  test('is expired when 30 minutes have passed, and has failed once the person comes back too late [move link_session: 30 minutes passed] [move link_session: the person returned too late]', async () => {
    const session = await start();
    const callback = await consentAtBank(session.url);
    clock.advance(30 * MINUTE);
    assert.equal(await session.status(), 'expired');
    assert.match((await openCallback(callback)).location, /link_session=failed&reason=session_expired$/);
    assert.equal(await session.status(), 'failed');
  });

  test('is completed although it was expired meanwhile, when the bank alone was late [move link_session: the person returned in time and the bank answered late]', async () => {
    const session = await start();
    const browser = new Browser();
    const callback = await consentAtBank(session.url, {}, browser);
    clock.advance(29 * MINUTE);
    const bank = sandboxBank(service.app);
    bank.clearRequests();
    bank.addFault({ route: 'GET /v1/consent', kind: 'latency', latencyMs: 1500 });
    const answer = browser.visit(callback);
    await until(
      async () => bank.requests().length,
      (count) => count > 0,
    );
    clock.advance(2 * MINUTE);
    assert.equal(await session.status(), 'expired');
    assert.match((await answer).location, /link_session=completed$/);
    assert.equal(await session.status(), 'completed');
  });
});
