import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  AuthorizationServer,
  type AuthorizationServerOptions,
  type GrantedTokens,
} from '../../../sandbox/shared/authorization-server.ts';
import { DAY, handClock } from '../visitor.ts';

const RETURN = 'https://app.example.test/connect/return';
const CLIENT = { client_id: 'client-1', client_secret: 'secret-1' };
const VERIFIER = 'v'.repeat(43);
const HOUR = 3_600_000;

function serverOf(more: Partial<AuthorizationServerOptions> = {}) {
  const clock = handClock();
  const state = { saves: 0 };
  const authorizationServer = new AuthorizationServer({
    now: () => clock.now(),
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    rotates: true,
    accessMs: HOUR,
    pkce: 'required',
    changed: () => {
      state.saves += 1;
    },
    ...more,
  });
  return { clock, authorizationServer, state };
}

function query(more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({
    client_id: CLIENT.client_id,
    redirect_uri: RETURN,
    response_type: 'code',
    state: 'st',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
}

function consented(authorizationServer: AuthorizationServer, asked = query()): string {
  const visit = authorizationServer.begin(asked);
  assert.ok(typeof visit === 'object', String(visit));
  const back = authorizationServer.end(visit, { subject: 'ada' });
  assert.equal(back.searchParams.get('state'), 'st');
  return back.searchParams.get('code') ?? assert.fail('no code');
}

function exchange(authorizationServer: AuthorizationServer, code: string, more: Record<string, string> = {}) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: RETURN, code_verifier: VERIFIER };
  return authorizationServer.token({ ...CLIENT, ...form, ...more }, undefined);
}

const refresh = (authorizationServer: AuthorizationServer, token: string) =>
  authorizationServer.token({ ...CLIENT, grant_type: 'refresh_token', refresh_token: token }, undefined);

function granted(answer: ReturnType<AuthorizationServer['token']>): GrantedTokens {
  assert.ok(typeof answer === 'object', String(answer));
  return answer;
}

const signedIn = (authorizationServer: AuthorizationServer): GrantedTokens =>
  granted(exchange(authorizationServer, consented(authorizationServer)));
const bearer = (token: string): string => `Bearer ${token}`;

describe('a code', () => {
  test('gives tokens once', () => {
    const { authorizationServer } = serverOf();
    const code = consented(authorizationServer);
    assert.equal(granted(exchange(authorizationServer, code)).subject, 'ada');
    assert.equal(exchange(authorizationServer, code), 'invalid_grant');
    assert.equal(authorizationServer.count, 1);
  });

  for (const [what, more] of [
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another return address', { redirect_uri: 'https://elsewhere.example.test/' }],
  ] as const) {
    test(`is spent and gives nothing with ${what}`, () => {
      const { authorizationServer } = serverOf();
      const code = consented(authorizationServer);
      assert.equal(exchange(authorizationServer, code, more), 'invalid_grant');
      assert.equal(exchange(authorizationServer, code), 'invalid_grant');
      assert.equal(authorizationServer.count, 0);
    });
  }

  test('is over after ten minutes', () => {
    const { clock, authorizationServer } = serverOf();
    const code = consented(authorizationServer);
    clock.at += 600_000;
    assert.equal(exchange(authorizationServer, code), 'invalid_grant');
  });

  test('gives nothing to a client with another secret, in the body or in the header', () => {
    const { authorizationServer } = serverOf();
    const code = consented(authorizationServer);
    assert.equal(exchange(authorizationServer, code, { client_secret: 'secret-2' }), 'invalid_client');
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: RETURN,
      code_verifier: VERIFIER,
    };
    const basic = (secret: string) => `Basic ${Buffer.from(`client-1:${secret}`).toString('base64')}`;
    assert.equal(authorizationServer.token(form, basic('secret-2')), 'invalid_client');
    assert.equal(authorizationServer.token(form, basic('%zz')), 'invalid_client');
    granted(authorizationServer.token(form, basic('secret-1')));
  });
});

describe('a visit', () => {
  for (const [what, more] of [
    ['another application', { client_id: 'client-2' }],
    ['no address to return to', { redirect_uri: 'back' }],
    ['something other than a code', { response_type: 'token' }],
    ['a plain code challenge', { code_challenge_method: 'plain' }],
  ] as const) {
    test(`does not begin for ${what}`, () => {
      assert.equal(typeof serverOf().authorizationServer.begin(query(more)), 'string');
    });
  }

  test('without a code challenge begins only where the vendor does not require one', () => {
    const bare = query();
    bare.delete('code_challenge');
    assert.equal(typeof serverOf().authorizationServer.begin(bare), 'string');
    const { authorizationServer } = serverOf({ pkce: 'optional' });
    granted(exchange(authorizationServer, consented(authorizationServer, bare), { code_verifier: '' }));
  });

  test('ends once, and on its own after an hour', () => {
    const { clock, authorizationServer } = serverOf();
    const [one, other] = [authorizationServer.begin(query()), authorizationServer.begin(query())];
    assert.ok(typeof one === 'object' && typeof other === 'object');
    assert.equal(authorizationServer.open(one.id), one);
    const refused = authorizationServer.end(one, { error: 'access_denied' });
    assert.deepEqual(
      [
        refused.searchParams.get('error'),
        refused.searchParams.get('code'),
        refused.searchParams.get('state'),
      ],
      ['access_denied', null, 'st'],
    );
    assert.equal(authorizationServer.open(one.id), null);
    clock.at += HOUR;
    assert.equal(authorizationServer.open(other.id), null);
  });
});

describe('a refresh token', () => {
  test('that rotates counts once: a second use ends the grant and all its tokens', () => {
    const { authorizationServer } = serverOf();
    const first = signedIn(authorizationServer);
    const second = granted(refresh(authorizationServer, first.refresh));
    assert.notEqual(second.refresh, first.refresh);
    assert.equal(authorizationServer.subjectOf(bearer(first.access)), null);
    assert.equal(authorizationServer.subjectOf(bearer(second.access)), 'ada');
    assert.equal(refresh(authorizationServer, first.refresh), 'invalid_grant');
    assert.equal(authorizationServer.subjectOf(bearer(second.access)), null);
    assert.equal(refresh(authorizationServer, second.refresh), 'invalid_grant');
    assert.equal(authorizationServer.count, 0);
  });

  test('that does not rotate counts any number of times, and earlier access tokens stay good', () => {
    const { authorizationServer } = serverOf({ rotates: false });
    const first = signedIn(authorizationServer);
    const second = granted(refresh(authorizationServer, first.refresh));
    assert.equal(second.refresh, first.refresh);
    assert.equal(authorizationServer.subjectOf(bearer(first.access)), 'ada');
    assert.equal(authorizationServer.subjectOf(bearer(second.access)), 'ada');
  });

  test('of one grant does not end another of the same person when it is used twice', () => {
    const { authorizationServer } = serverOf();
    const [stolen, other] = [signedIn(authorizationServer), signedIn(authorizationServer)];
    refresh(authorizationServer, stolen.refresh);
    refresh(authorizationServer, stolen.refresh);
    assert.equal(authorizationServer.subjectOf(bearer(other.access)), 'ada');
  });
});

describe('an access token', () => {
  test('ends after its time, and early where the authorizationServer says so; the refresh token stays good', () => {
    const { clock, authorizationServer } = serverOf();
    const first = signedIn(authorizationServer);
    assert.equal(first.expiresIn, 3600);
    clock.at += HOUR;
    assert.equal(authorizationServer.subjectOf(bearer(first.access)), null);
    const second = granted(refresh(authorizationServer, first.refresh));
    authorizationServer.expire(bearer(second.access));
    assert.equal(authorizationServer.subjectOf(bearer(second.access)), null);
    granted(refresh(authorizationServer, second.refresh));
  });

  test('is not good under another scheme, and nothing is good without one', () => {
    const { authorizationServer } = serverOf();
    const { access } = signedIn(authorizationServer);
    assert.equal(authorizationServer.subjectOf(`Basic ${access}`), null);
    assert.equal(authorizationServer.subjectOf(undefined), null);
    assert.equal(authorizationServer.subjectOf('Bearer '), null);
  });
});

describe('a grant', () => {
  test('ends by either of its tokens, and only it', () => {
    for (const member of ['access', 'refresh'] as const) {
      const { authorizationServer } = serverOf();
      const [one, other] = [signedIn(authorizationServer), signedIn(authorizationServer)];
      assert.equal(authorizationServer.revoke(one[member]), true);
      assert.equal(authorizationServer.revoke(one[member]), false);
      assert.equal(refresh(authorizationServer, one.refresh), 'invalid_grant');
      assert.equal(authorizationServer.subjectOf(bearer(other.access)), 'ada');
    }
  });

  test('ends with all others of a person who takes the application away', () => {
    const { authorizationServer } = serverOf();
    signedIn(authorizationServer);
    signedIn(authorizationServer);
    authorizationServer.revokeSubject('ada');
    assert.equal(authorizationServer.count, 0);
  });

  test('outlasts a restart, with what was spent of it', () => {
    const { clock, authorizationServer, state } = serverOf();
    const first = signedIn(authorizationServer);
    const second = granted(refresh(authorizationServer, first.refresh));
    assert.ok(state.saves >= 2);
    const saved: unknown = JSON.parse(JSON.stringify(authorizationServer.read()));
    const next = serverOf();
    next.clock.at = clock.at + DAY;
    assert.equal(next.authorizationServer.restore(saved), true);
    assert.equal(next.authorizationServer.subjectOf(bearer(second.access)), null);
    const third = granted(refresh(next.authorizationServer, second.refresh));
    assert.equal(refresh(next.authorizationServer, first.refresh), 'invalid_grant');
    assert.equal(next.authorizationServer.subjectOf(bearer(third.access)), null);
  });

  test('is not restored from what is no list of grants', () => {
    const { authorizationServer } = serverOf();
    const { access } = signedIn(authorizationServer);
    for (const wrong of [{}, null, [1], [{ subject: 'ada' }], [{ subject: 'ada', refresh: 'r', spent: 1 }]]) {
      assert.equal(authorizationServer.restore(wrong), false);
    }
    assert.equal(authorizationServer.subjectOf(bearer(access)), 'ada');
  });
});

describe('what strangers may leave behind', () => {
  test('visits and codes beyond a thousand make room, the oldest first', () => {
    const { authorizationServer } = serverOf();
    const first = authorizationServer.begin(query());
    const code = consented(authorizationServer);
    assert.ok(typeof first === 'object');
    for (let count = 0; count < 1_000; count++) consented(authorizationServer);
    assert.equal(exchange(authorizationServer, code), 'invalid_grant', 'the oldest code made room');
    for (let count = 0; count < 1_000; count++) authorizationServer.begin(query());
    assert.equal(authorizationServer.open(first.id), null, 'and so did the oldest visit');
  });

  test('no one is sent to an address of another origin than the registered one', () => {
    const { authorizationServer } = serverOf({ returnOrigin: new URL(RETURN).origin });
    assert.equal(typeof authorizationServer.begin(query()), 'object');
    assert.match(
      String(authorizationServer.begin(query({ redirect_uri: 'https://elsewhere.test/' }))),
      /not registered/,
    );
  });
});
