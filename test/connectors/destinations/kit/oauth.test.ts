import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  readGrant,
  type TokenAnswer,
  writeGrant,
} from '../../../../src/connectors/destinations/kit/oauth.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { HOUR, KitVendor } from './kit-vendor.ts';

const never = new AbortController().signal;
const REDIRECT = 'https://app.example.test/connect/return';
const VERIFIER = 'p'.repeat(43);

/** Signs in: the query that the person comes back with. */
function signIn(vendor: KitVendor, subject = 'ada'): Record<string, string> {
  const page = new URL(vendor.oauth().page({ redirectUri: REDIRECT, state: 'st', verifier: VERIFIER }));
  const visit = vendor.authorizationServer.begin(page.searchParams);
  assert.ok(typeof visit === 'object', String(visit));
  return Object.fromEntries(vendor.authorizationServer.end(visit, { subject }).searchParams);
}

const back = (query: Record<string, string>, verifier = VERIFIER) => ({
  redirectUri: REDIRECT,
  verifier,
  query,
});

function tokens(answer: TokenAnswer | string): TokenAnswer {
  assert.ok(typeof answer === 'object', String(answer));
  return answer;
}

async function failureOf(work: Promise<unknown>): Promise<UpstreamFailure> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (raised: unknown) => raised,
  );
  assert.ok(error instanceof UpstreamFailure, String(error));
  return error;
}

describe('signing in', () => {
  test('sends the person to the vendor with what the vendor needs, and keeps what the address had', async () => {
    await using vendor = await new KitVendor().open();
    const page = new URL(vendor.oauth().page({ redirectUri: REDIRECT, state: 's t', verifier: VERIFIER }));
    const { code_challenge: challenge, ...query } = Object.fromEntries(page.searchParams);
    assert.deepEqual(query, {
      display: 'full',
      client_id: 'client id',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'rows.write',
      state: 's t',
      code_challenge_method: 'S256',
      access_type: 'offline',
    });
    assert.match(challenge ?? '', /^[\w-]{43}$/);
    const bare = vendor
      .oauth({ pkce: false, scope: null })
      .page({ redirectUri: REDIRECT, state: '', verifier: VERIFIER });
    assert.doesNotMatch(bare, /code_challenge|scope/);
  });

  for (const credentialsIn of ['header', 'body'] as const) {
    for (const bodies of ['form', 'json'] as const) {
      test(`exchanges the code, with credentials in the ${credentialsIn} and ${bodies} bodies`, async () => {
        await using vendor = await new KitVendor().open();
        const oauth = vendor.oauth({ credentialsIn, bodies });
        const { access, refresh, expires, body } = tokens(await oauth.exchange(back(signIn(vendor)), never));
        assert.equal(vendor.authorizationServer.subjectOf(`Bearer ${access}`), 'ada');
        assert.equal(expires, vendor.clock.now() + HOUR);
        assert.partialDeepStrictEqual(body, { subject: 'ada' });
        const grant = writeGrant({ access, refresh, expires, holder: 'ada' });
        assert.notEqual(readGrant(await oauth.renewed(grant, never)).access, access);
        const [sent] = vendor.requests;
        assert.equal(sent?.headers.authorization === undefined, credentialsIn === 'body');
        assert.equal(sent?.body.includes('secret'), credentialsIn === 'body');
      });
    }
  }

  test('that the person refused is that, and any other return without a code is unknown', async () => {
    await using vendor = await new KitVendor().open();
    const oauth = vendor.oauth();
    assert.equal(await oauth.exchange(back({ error: 'access_denied' }), never), 'access_denied');
    assert.equal(await oauth.exchange(back({ error: 'server_error' }), never), 'unknown');
    assert.equal(await oauth.exchange(back({}), never), 'unknown');
    assert.deepEqual(vendor.requests, []);
  });

  test('with a code that is used up, or belongs to another attempt, is unknown and not an error', async () => {
    await using vendor = await new KitVendor().open();
    const oauth = vendor.oauth();
    const query = signIn(vendor);
    tokens(await oauth.exchange(back(query), never));
    assert.equal(await oauth.exchange(back(query), never), 'unknown');
    assert.equal(await oauth.exchange(back(signIn(vendor), 'q'.repeat(43)), never), 'unknown');
  });
});

const deep = `{"access_token":"at2","more":${'['.repeat(100)}${']'.repeat(100)}}`;

describe('a renewal', () => {
  test('stores the refresh token that the vendor rotated, and keeps the holder', async () => {
    await using vendor = await new KitVendor().open();
    const old = vendor.grant();
    const renewed = readGrant(await vendor.oauth().renewed(old, never));
    assert.notEqual(renewed.refresh, readGrant(old).refresh);
    assert.deepEqual([renewed.holder, renewed.expires], ['ada', vendor.clock.now() + HOUR]);
  });

  test('keeps the refresh token where the vendor sends none, and no end where it names none', async () => {
    await using vendor = await new KitVendor().open();
    const old = vendor.grant();
    vendor.behaviours.set('/token', [{ status: 200, body: '{"access_token":"at2"}' }]);
    assert.deepEqual(readGrant(await vendor.oauth().renewed(old, never)), {
      v: 1,
      access: 'at2',
      refresh: readGrant(old).refresh,
      expires: null,
      holder: 'ada',
    });
  });

  test('of a grant that is over, or that has no refresh token, is rejected', async () => {
    await using vendor = await new KitVendor().open();
    const oauth = vendor.oauth();
    const grant = vendor.grant();
    vendor.authorizationServer.revokeSubject('ada');
    assert.equal((await failureOf(oauth.renewed(grant, never))).situation, 'grant_rejected');
    const lasting = vendor.grant({ refresh: null });
    const asked = vendor.requests.length;
    assert.equal((await failureOf(oauth.renewed(lasting, never))).situation, 'grant_rejected');
    assert.equal(vendor.requests.length, asked);
  });

  for (const [what, behaviour, situation] of [
    ['is limited', { status: 429, headers: { 'retry-after': '7' } }, 'rate_limited'],
    ['fails at the vendor', { status: 503 }, 'server_error'],
    [
      'is refused for our own credentials',
      { status: 401, body: '{"error":"invalid_client"}' },
      'own_credentials',
    ],
    [
      'is refused for our own address',
      { status: 400, body: '{"error":"redirect_uri_mismatch"}' },
      'own_credentials',
    ],
    ['is answered without a token', { status: 200, body: '{}' }, 'malformed'],
    ['is answered with JSON that is too deep', { status: 200, body: deep }, 'malformed'],
    ['is answered with something other than JSON', { status: 200, body: '<html>' }, 'malformed'],
    ['is answered with a token of another form', { status: 200, body: '{"access_token":1}' }, 'malformed'],
    ['loses its connection', 'reset', 'connect'],
    ['is answered with more than is accepted', { status: 200, body: ' '.repeat(300_000) }, 'connect'],
    ['gets no answer', 'hang', 'deadline'],
  ] as const) {
    test(`that ${what} is ${situation}, and no message or cause of it has a token or a secret`, async () => {
      await using vendor = await new KitVendor().open();
      if (behaviour === 'hang') vendor.limits = { ...vendor.limits, read_deadline_ms: 200 };
      vendor.behaviours.set('/token', [behaviour]);
      const grant = vendor.grant();
      const failure = await failureOf(vendor.oauth().renewed(grant, never));
      assert.equal(failure.situation, situation);
      if (situation === 'rate_limited') assert.equal(failure.retryAfterSeconds, 7);
      const { access, refresh } = readGrant(grant);
      const said = inspect(failure, { depth: 10 });
      for (const secret of [access, refresh, 'own:secret']) assert.ok(!said.includes(secret ?? ''), said);
    });
  }

  test('that is called off ends with the reason', async () => {
    await using vendor = await new KitVendor().open();
    vendor.behaviours.set('/token', ['hang']);
    const leaving = new AbortController();
    const renewal = vendor.oauth().renewed(vendor.grant(), leaving.signal);
    const reason = new Error('the process stops');
    leaving.abort(reason);
    await assert.rejects(renewal, (error) => error === reason);
  });

  test('shows of an error only what has the form of an error code', async () => {
    await using vendor = await new KitVendor().open();
    for (const [error, shown] of [
      ['invalid_scope', /\(invalid_scope\)/],
      ['Token rt-1 of ada', /^[^(]*$/],
    ] as const) {
      vendor.behaviours.set('/token', [{ status: 400, body: JSON.stringify({ error }) }]);
      assert.match((await failureOf(vendor.oauth().renewed(vendor.grant(), never))).message, shown);
    }
  });
});

describe('ending a grant', () => {
  test('ends it at the vendor, and again is a success', async () => {
    await using vendor = await new KitVendor().open();
    const grant = vendor.grant();
    await vendor.oauth().revoke(grant, never);
    assert.equal(vendor.authorizationServer.count, 0);
    await vendor.oauth().revoke(grant, never);
  });

  test('uses the access token where there is no other', async () => {
    await using vendor = await new KitVendor().open();
    await vendor.oauth().revoke(vendor.grant({ refresh: null }), never);
    assert.equal(vendor.authorizationServer.count, 0);
  });

  test('asks no one where the vendor has no way to', async () => {
    await using vendor = await new KitVendor().open();
    await vendor.oauth({ revokeUrl: null }).revoke(vendor.grant(), never);
    assert.deepEqual(vendor.requests, []);
  });

  for (const [what, behaviour, situation] of [
    ['the vendor fails', { status: 500 }, 'server_error'],
    [
      'our own credentials are refused',
      { status: 401, body: '{"error":"invalid_client"}' },
      'own_credentials',
    ],
    [
      'the call is refused for another reason',
      { status: 401, body: '{"object":"error","code":"unauthorized"}' },
      'own_credentials',
    ],
    ['a refusal says nothing', { status: 400, body: 'no' }, 'own_credentials'],
    ['the connection drops', 'lost', 'connect'],
  ] as const) {
    test(`fails where ${what}, so that it is tried again`, async () => {
      await using vendor = await new KitVendor().open();
      vendor.behaviours.set('/revoke', [behaviour]);
      assert.equal((await failureOf(vendor.oauth().revoke(vendor.grant(), never))).situation, situation);
    });
  }
});

test('a stored grant in another format is refused without being repeated', () => {
  for (const text of ['at-very-secret', '{"v":2,"access":"at-very-secret"}', '{"v":1}']) {
    assert.throws(
      () => readGrant(text),
      (error) => error instanceof TypeError && !inspect(error).includes('very-secret'),
    );
  }
});
