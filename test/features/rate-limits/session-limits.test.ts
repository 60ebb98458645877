import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, V2Client } from '../../support/v2-client.ts';

let service: TestService;
before(async () => {
  service = await startService({
    LIMIT_RATE_CHEAP: '4',
    LIMIT_RATE_ACCOUNT_KEYS: '1',
    LIMIT_RATE_SESSION_CHEAP: '6',
    LIMIT_RATE_SESSION_MID: '5',
    LIMIT_RATE_SESSION_HEAVY: '4',
    LIMIT_RATE_SESSION_MUTATING: '3',
    LIMIT_RATE_ACCOUNT_SESSIONS: '2',
    LIMIT_SESSION_REQUESTS: '25',
  });
});
after(() => service.close());

const NO_ACCOUNT = 'acct_0000000000000000000000';
const cheap = (ask: V2Client) => ask('GET', '/v2/me');
const codeOf = (answer: Answer): string | null => answer.body.error?.code ?? null;
const isRefused = (answer: Answer): boolean => codeOf(answer) === 'rate_limit_exceeded';

async function times(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let asked = 0; asked < count; asked += 1) answers.push(await ask());
  return answers;
}

/** What a script with the cookie of a new session of the owner can do. */
async function session(owner: TestOwner): Promise<V2Client> {
  return (await signedIn(service, await addPerson(service, owner))).v2;
}

describe('the requests a minute of a session', () => {
  for (const [tier, method, path, most] of [
    ['cheap [limit rate_session_cheap_per_minute]', 'GET', '/v2/me', 6],
    ['mid [limit rate_session_mid_per_minute]', 'GET', `/v2/accounts/${NO_ACCOUNT}/balance`, 5],
    ['heavy [limit rate_session_heavy_per_minute]', 'GET', `/v2/transactions?account=${NO_ACCOUNT}`, 4],
    [
      'mutating [limit rate_session_mutating_per_minute]',
      'DELETE',
      '/v2/api_keys/key_0000000000000000000000',
      3,
    ],
  ] as const) {
    test(`have a number of their own in the tier ${tier}`, async () => {
      const ask = await session(await service.owner());
      const answers = await times(most + 1, () => ask(method, path));
      assert.equal(answers[0]?.headers.get('x-ratelimit-limit'), String(most));
      assert.deepEqual(answers.map(isRefused), [...Array.from({ length: most }, () => false), true]);
      assert.match(answers.at(-1)?.body.error.message, / for this session\./);
      assert.ok(Number(answers.at(-1)?.headers.get('retry-after')) >= 1);
    });
  }

  test('of a greedy owner stop that script alone: other sessions, keys and owners go on', async () => {
    const [greedy, other] = [await service.owner(), await service.owner()];
    const script = await session(greedy);
    const flood = await Promise.all(Array.from({ length: 20 }, () => cheap(script)));
    assert.equal(flood.filter(({ status }) => status === 200).length, 6);
    const page = await session(greedy);
    assert.deepEqual(
      (await times(6, () => cheap(page))).map(({ status }) => status),
      Array(6).fill(200),
    );
    assert.deepEqual(
      (await times(4, () => cheap(greedy.v2))).map(({ status }) => status),
      [200, 200, 200, 200],
      'the pages used up nothing of the API',
    );
    const third = await cheap(await session(greedy));
    assert.match(
      third.body.error.message,
      /12 cheap requests a minute across all sessions of the account record/,
    );
    assert.equal((await cheap(await session(other))).status, 200);
    assert.equal((await cheap(other.v2)).status, 200);
  });

  test('are not used up by keys of the account record', async () => {
    const owner = await service.owner();
    assert.ok((await times(5, () => cheap(owner.v2))).some(isRefused));
    assert.equal((await cheap(await session(owner))).status, 200);
  });

  test('have a ceiling before anything is looked up, apart from that of keys [limit session_requests_per_minute]', async () => {
    const ask = await session(await service.owner());
    const answers = await times(26, () => cheap(ask));
    assert.ok(answers.slice(0, 25).every((answer) => codeOf(answer) !== 'too_many_auth_attempts'));
    assert.equal(codeOf(answers[25] ?? assert.fail()), 'too_many_auth_attempts');
  });
});
