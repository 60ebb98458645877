import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../../src/vocabulary/limits.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Answer, v2Client } from '../../support/v2-client.ts';
import { heavyOperation, openSurface } from '../../surfaces/v2/open-surface.ts';

let service: TestService;
before(async () => {
  service = await startService({
    LIMIT_RATE_CHEAP: '5',
    LIMIT_RATE_HEAVY: '50',
    LIMIT_RATE_MUTATING: '50',
    LIMIT_HEAVY_IN_FLIGHT: '1',
    LIMIT_RATE_ACCOUNT_KEYS: '3',
  });
});
after(() => service.close());

const left = ({ headers }: Answer) => [
  headers.get('x-ratelimit-limit'),
  headers.get('x-ratelimit-remaining'),
];
const codeOf = (answer: Answer): string | null => answer.body.error?.code ?? null;

/** Secrets of so many more keys. */
async function moreKeys(owner: TestOwner, count: number): Promise<string[]> {
  const secrets: string[] = [];
  for (let made = 0; made < count; made++)
    secrets.push(
      (await owner.v2('POST', '/v2/api_keys', { name: 'k', scopes: ['account:read'] })).body.secret,
    );
  return secrets;
}

describe('who makes more keys may not ask more', () => {
  test("all keys together get as much as so many keys, and no one else's get less [limit rate_account_keys]", async () => {
    const [owner, other] = [await service.owner(), await service.owner()];
    const answers: Answer[] = [];
    for (const secret of await moreKeys(owner, 5)) {
      const ask = v2Client(service.url, secret);
      for (let asked = 0; asked < 4; asked++) answers.push(await ask('GET', '/v2/me'));
    }
    const codes = answers.map(codeOf);
    assert.deepEqual(
      codes.slice(0, 15),
      Array.from({ length: 15 }, () => null),
    );
    assert.deepEqual(
      codes.slice(15),
      Array.from({ length: 5 }, () => 'rate_limit_exceeded'),
    );
    assert.match(answers[15]?.body.error.message, /across all keys and apps of the account record/);
    assert.ok(Number(answers[15]?.headers.get('retry-after')) >= 1);
    assert.equal((await other.v2('GET', '/v2/me')).status, 200);
  });

  test('the headers say how the tighter of the two stands', async () => {
    const owner = await service.owner();
    const seen: (readonly (string | null)[])[] = [];
    for (const secret of await moreKeys(owner, 4)) {
      const ask = v2Client(service.url, secret);
      for (let asked = 0; asked < 4; asked++) seen.push(left(await ask('GET', '/v2/me')));
    }
    assert.deepEqual(seen.slice(0, 4), [
      ['5', '4'],
      ['5', '3'],
      ['5', '2'],
      ['5', '1'],
    ]);
    assert.deepEqual(seen.slice(12), [
      ['15', '2'],
      ['15', '1'],
      ['15', '0'],
      ['15', '0'],
    ]);
  });

  test('a key that asks too much uses up its own share and not that of the others', async () => {
    const owner = await service.owner();
    const [wild, calm] = (await moreKeys(owner, 2)).map((secret) => v2Client(service.url, secret));
    assert.ok(wild !== undefined && calm !== undefined);
    for (let asked = 0; asked < 40; asked++) await wild('GET', '/v2/me');
    assert.equal(codeOf(await wild('GET', '/v2/me')), 'rate_limit_exceeded');
    assert.deepEqual(left(await calm('GET', '/v2/me')), ['5', '4']);
  });

  test('nor have more heavy requests under way', async (t) => {
    const ends: (() => void)[] = [];
    const held = heavyOperation('/v2/held', () => new Promise((resolve) => void ends.push(resolve)));
    const quick = heavyOperation('/v2/quick', async () => undefined);
    const surface = await openSurface(service.app, [held, quick]);
    t.after(() => surface.close());
    const owner = await service.owner();
    const asks = (await moreKeys(owner, 4)).map((secret) => v2Client(surface.url, secret, () => undefined));
    const held3 = asks.slice(0, 3).map((ask) => ask('GET', '/v2/held'));
    while (ends.length < 3) await new Promise(setImmediate);
    const refused = await asks[3]?.('GET', '/v2/quick');
    assert.ok(refused);
    assert.equal(codeOf(refused), 'too_many_concurrent_requests');
    assert.match(refused.body.error.message, /The keys and apps of this account record together have 3/);
    for (const end of ends) end();
    await Promise.all(held3);
    for (let tried = 0; (await asks[3]?.('GET', '/v2/quick'))?.status !== 200; tried++) {
      assert.ok(tried < 12, 'no place became free');
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** tried));
    }
  });

  test('by default that is as much as twelve keys', () => {
    assert.equal(LIMITS.rate_account_keys.default, 12);
  });
});
