import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import type { Browser } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';
import { askV2, letIn, refresh, signIn, tokensOf } from './stage.ts';

/** Of a process whose machine is behind those of the others, for a while. */
class UnevenClock extends ShiftedClock {
  behindMs = 0;

  override now(): number {
    return super.now() - this.behindMs;
  }
}

const clock = new UnevenClock();
let service: TestService;
let browser: Browser;
let v2: string;
before(async () => {
  service = await startService({}, { clock });
  browser = await signIn(service, await service.owner());
  v2 = `${service.url}/v2`;
});
after(() => service.close());

test('a refresh token that is used twice ends the whole family', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const second = tokensOf(await refresh(service, first.client, first.refresh));
  const third = tokensOf(await refresh(service, first.client, second.refresh));
  assert.equal((await askV2(service, third.access)).status, 200);
  assert.equal((await refresh(service, first.client, first.refresh)).body.error, 'invalid_grant');
  for (const { access } of [first, second, third]) {
    assert.equal((await askV2(service, access)).body.error.code, 'oauth_token_invalid');
  }
  assert.equal((await refresh(service, first.client, third.refresh)).body.error, 'invalid_grant');
});

test('an app whose answer was lost refreshes again for a moment, until a successor is used', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const lost = tokensOf(await refresh(service, first.client, first.refresh));
  clock.advance(29_000);
  const second = tokensOf(await refresh(service, first.client, first.refresh));
  const third = tokensOf(await refresh(service, first.client, second.refresh));
  assert.equal((await refresh(service, first.client, lost.refresh)).body.error, 'invalid_grant');
  assert.equal((await askV2(service, third.access)).body.error.code, 'oauth_token_invalid');
});

test('the moment ends as well with the first use of an access token that was issued for it', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const second = tokensOf(await refresh(service, first.client, first.refresh));
  assert.equal((await askV2(service, first.access)).status, 200, 'the one before says nothing of the answer');
  const again = tokensOf(await refresh(service, first.client, first.refresh));
  assert.equal((await askV2(service, again.access)).status, 200);
  assert.equal((await refresh(service, first.client, first.refresh)).body.error, 'invalid_grant');
  for (const { access } of [second, again]) {
    assert.equal((await askV2(service, access)).body.error.code, 'oauth_token_invalid');
  }
});

test('an access token goes on being good, and its successors begin a moment of their own', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const second = tokensOf(await refresh(service, first.client, first.refresh));
  for (let use = 0; use < 3; use += 1) assert.equal((await askV2(service, second.access)).status, 200);
  const lost = tokensOf(await refresh(service, first.client, second.refresh));
  const third = tokensOf(await refresh(service, first.client, second.refresh));
  assert.notEqual(lost.refresh, third.refresh);
  assert.equal((await askV2(service, third.access)).status, 200);
});

test('later than that, a used refresh token ends the grant for everyone', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const second = tokensOf(await refresh(service, first.client, first.refresh));
  clock.advance(31_000);
  assert.equal((await refresh(service, first.client, first.refresh)).body.error, 'invalid_grant');
  assert.equal((await askV2(service, second.access)).body.error.code, 'oauth_token_invalid');
});

test('of many refreshes with one token at once, one successor goes on, and a second ends the grant', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => refresh(service, first.client, first.refresh)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
  const raced = await Promise.all(
    answers.map((answer) => refresh(service, first.client, tokensOf(answer).refresh)),
  );
  const lucky = raced.filter(({ status }) => status === 200);
  assert.ok(lucky.length <= 1, `${lucky.length} went on`);
  for (const answer of [...answers, ...lucky]) {
    assert.equal((await askV2(service, tokensOf(answer).access)).body.error.code, 'oauth_token_invalid');
  }
});

test('a successor that lost is refused by a process whose clock is behind', async () => {
  const first = await letIn(service, browser, { resource: v2 });
  const [used, lost] = [
    tokensOf(await refresh(service, first.client, first.refresh)),
    tokensOf(await refresh(service, first.client, first.refresh)),
  ];
  const next = tokensOf(await refresh(service, first.client, used.refresh));
  clock.behindMs = 5_000;
  const late = await refresh(service, first.client, lost.refresh);
  clock.behindMs = 0;
  assert.equal(late.body.error, 'invalid_grant');
  assert.equal((await askV2(service, next.access)).body.error.code, 'oauth_token_invalid');
});

test('of the tokens of a grant the newest are there, however often it is refreshed [limit oauth_grant_tokens]', async (t) => {
  const own = await startService({ LIMIT_OAUTH_GRANT_TOKENS: '3' });
  t.after(() => own.close());
  const person = await signIn(own, await own.owner());
  const first = await letIn(own, person, { resource: `${own.url}/v2` });
  const all = [first.access];
  let current = first.refresh;
  for (let round = 0; round < 6; round += 1) {
    const tokens = tokensOf(await refresh(own, first.client, current));
    all.push(tokens.access);
    current = tokens.refresh;
  }
  const statuses: number[] = [];
  for (const access of all) statuses.push((await askV2(own, access)).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 200, 200, 200]);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from oauth_tokens`.execute(
    own.app.database.db,
  );
  assert.equal(rows[0]?.n, 7, 'three of each kind, and the code');
  assert.equal((await refresh(own, first.client, first.refresh)).body.error, 'invalid_grant');
  assert.equal((await refresh(own, first.client, current)).status, 200, 'the grant goes on');
});
