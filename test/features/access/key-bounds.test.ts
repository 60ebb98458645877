import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Answer, type V2Client, v2Client } from '../../support/v2-client.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await commonService();
  owner = await service.owner();
});
after(() => service.close());

const scopes = ['keys:write', 'data:read'];
const make = (by: V2Client, bounds: object): Promise<Answer> =>
  by('POST', '/v2/api_keys', { name: 'made', scopes, ...bounds });
const outcome = ({ status, body }: Answer) =>
  status === 201 ? 201 : [status, body.error.code, body.error.param];
const LOOSER = (param: string) => [403, 'scope_not_held', param];

/** A key with these bounds that may make others, as someone who calls with it. */
async function bounded(bounds: object): Promise<V2Client> {
  return v2Client(service.url, (await make(owner.v2, bounds)).body.secret);
}

describe('a key that is tied to addresses', () => {
  const cases: readonly (readonly [string, readonly string[] | null | undefined, boolean])[] = [
    ['the same network', ['127.0.0.0/8'], true],
    ['an address of it', ['127.9.9.9'], true],
    ['a smaller network of it, and the other address', ['127.0.0.0/16', '203.0.113.7'], true],
    ['a network around it', ['126.0.0.0/7'], false],
    ['every address', ['0.0.0.0/0'], false],
    ['one address of it and one elsewhere', ['127.0.0.1', '203.0.113.8'], false],
    ['an address of the other IP version', ['::1'], false],
    ['no addresses', null, false],
    ['nothing said of addresses', undefined, false],
  ];
  for (const [what, allowed, may] of cases) {
    test(`${may ? 'makes' : 'does not make'} a key for ${what}`, async () => {
      const maker = await bounded({ allowed_ips: ['127.0.0.0/8', '203.0.113.7'] });
      const made = await make(maker, allowed === undefined ? {} : { allowed_ips: allowed });
      assert.deepEqual(outcome(made), may ? 201 : LOOSER('allowed_ips'));
    });
  }
});

describe('a key that expires', () => {
  const cases: readonly (readonly [string, string | null | undefined, boolean])[] = [
    ['that expires sooner', inDays(1), true],
    ['that expires at the same moment', 'same', true],
    ['that expires later', inDays(3), false],
    ['that never expires', null, false],
    ['of whose end nothing is said', undefined, false],
  ];
  for (const [what, end, may] of cases) {
    test(`${may ? 'makes' : 'does not make'} a key ${what}`, async () => {
      const same = inDays(2);
      const maker = await bounded({ expires_at: same });
      const expires = end === 'same' ? same : end;
      const made = await make(maker, expires === undefined ? {} : { expires_at: expires });
      assert.deepEqual(outcome(made), may ? 201 : LOOSER('expires_at'));
    });
  }
});

describe('a bounded key', () => {
  const rotate = (by: V2Client, id: string) => by('POST', `/v2/api_keys/${id}/rotate`, { grace: '0' });

  test('does not rotate a looser one, whose new secret it would be given, and leaves it as it was', async () => {
    for (const [bounds, param] of [
      [{ allowed_ips: ['127.0.0.1'] }, 'allowed_ips'],
      [{ expires_at: inDays(2) }, 'expires_at'],
    ] as const) {
      const maker = await bounded(bounds);
      const { body: loose } = await make(owner.v2, {});
      assert.deepEqual(outcome(await rotate(maker, loose.id)), LOOSER(param));
      assert.equal((await owner.v2('GET', `/v2/api_keys/${loose.id}`)).body.status, 'active');
      assert.equal((await v2Client(service.url, loose.secret)('GET', '/v2/me')).status, 200);
    }
  });

  test('rotates itself and what is bounded as it is, and the replacement keeps the bounds', async () => {
    const bounds = { allowed_ips: ['127.0.0.1'], expires_at: inDays(2) };
    const { body: own } = await make(owner.v2, bounds);
    const { body: like } = await make(owner.v2, bounds);
    const caller = v2Client(service.url, own.secret);
    assert.equal((await rotate(caller, like.id)).status, 201);
    const { status, body } = await rotate(caller, own.id);
    assert.deepEqual([status, body.allowed_ips, body.expires_at], [201, own.allowed_ips, own.expires_at]);
  });

  test('does not loosen itself or another by an update', async () => {
    const { body: own } = await make(owner.v2, { allowed_ips: ['127.0.0.1'], expires_at: inDays(2) });
    const caller = v2Client(service.url, own.secret);
    for (const [param, change] of [
      ['allowed_ips', { allowed_ips: null }],
      ['expires_at', { expires_at: null }],
    ] as const) {
      const answer = await caller('PATCH', `/v2/api_keys/${own.id}`, change);
      assert.deepEqual(outcome(answer), [400, 'parameter_invalid', param]);
    }
    const { body } = await owner.v2('GET', `/v2/api_keys/${own.id}`);
    assert.deepEqual([body.allowed_ips, body.expires_at], [own.allowed_ips, own.expires_at]);
  });

  test('that nothing bounds gives any bounds it likes', async () => {
    assert.deepEqual(
      outcome(await make(owner.v2, { allowed_ips: ['0.0.0.0/0'], expires_at: inDays(900) })),
      201,
    );
    assert.deepEqual(outcome(await make(owner.v2, {})), 201);
  });
});
