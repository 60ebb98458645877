import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Caller } from '../../src/features/access/caller.ts';
import { type Admit, createAdmit } from '../../src/operations/admit.ts';
import { CALLER_KIND_NAMES, type CallerKind } from '../../src/vocabulary/caller-kinds.ts';
import type { RateTier } from '../../src/vocabulary/rate-tiers.ts';
import type { Scope } from '../../src/vocabulary/scopes.ts';
import { ServiceError } from '../../src/vocabulary/service-error.ts';
import { callerOf } from '../support/callers.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';

/** What people call each kind, in other words than the table has them. */
const CALLED: Readonly<Record<CallerKind, string>> = {
  api_key: 'key',
  oauth_token: 'connected app',
  session: 'session',
  bridge_app: 'bridge app',
};

let service: TestService;
let admit: Admit;
let made = 0;
before(async () => {
  service = await startService({
    LIMIT_RATE_CHEAP: '2',
    LIMIT_RATE_HEAVY: '100',
    LIMIT_HEAVY_IN_FLIGHT: '1',
    LIMIT_RATE_ACCOUNT_KEYS: '3',
    LIMIT_RATE_SESSION_CHEAP: '2',
    LIMIT_SESSION_HEAVY_IN_FLIGHT: '1',
    LIMIT_RATE_ACCOUNT_SESSIONS: '2',
  });
  admit = createAdmit(service.app.rateLimits, service.app.clock);
});
after(() => service.close());

async function keyCaller(secret: string): Promise<Caller> {
  return service.app.authentication.authenticate({ authorization: `Bearer ${secret}` }, '127.0.0.1');
}

/** A new caller of the kind on each call. */
async function caller(kind: CallerKind, owner: TestOwner, scopes?: readonly Scope[]): Promise<Caller> {
  if (kind !== 'api_key') return callerOf(kind, `${kind}-${made++}`, owner, scopes);
  const key = { name: 'k', scopes: scopes ?? ['account:read'] } as const;
  return keyCaller((await service.app.services.apiKeys.create(owner.record.id, key, null)).secret);
}

/** Null if the caller is admitted; else the refusal. */
async function refusal(
  asker: Caller,
  { tier = 'cheap', scope = null }: { tier?: RateTier; scope?: Scope | null } = {},
  ask: Admit = admit,
): Promise<{ readonly code: string; readonly message: string } | null> {
  try {
    const operation = { tier, scope, alsoScopes: [], planGate: null };
    await ask({ operation, caller: asker, version: null, header: () => undefined });
    return null;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return { code: error.code, message: error.message };
  }
}

for (const kind of CALLER_KIND_NAMES) {
  describe(`a caller that came as ${kind}`, () => {
    test('is counted on its own, and the refusal says whose limit it is', async () => {
      const owner = await service.owner();
      const [one, other] = [await caller(kind, owner), await caller(kind, owner)];
      assert.deepEqual([await refusal(one), await refusal(one)], [null, null]);
      const refused = await refusal(one);
      assert.equal(refused?.code, 'rate_limit_exceeded');
      assert.match(
        refused?.message ?? '',
        new RegExp(`2 cheap requests a minute for this ${CALLED[kind]}\\.`),
      );
      assert.equal(await refusal(other), null, 'another of the same kind');
      const again: Caller = { ...one };
      assert.equal((await refusal(again))?.code, 'rate_limit_exceeded', 'the same, found anew');
    });

    test('has heavy requests of its own in progress', async () => {
      const owner = await service.owner();
      const [one, other] = [await caller(kind, owner), await caller(kind, owner)];
      assert.equal(await refusal(one, { tier: 'heavy' }), null);
      const refused = await refusal(one, { tier: 'heavy' });
      assert.equal(refused?.code, 'too_many_concurrent_requests');
      assert.match(refused?.message ?? '', new RegExp(`^This ${CALLED[kind]} has 1 heavy requests`));
      assert.equal(await refusal(other, { tier: 'heavy' }), null);
    });

    test('can do what its scopes allow', async () => {
      const owner = await service.owner();
      const reader = await caller(kind, owner, ['data:read']);
      assert.equal(await refusal(reader, { scope: 'data:read' }), null);
      const refused = await refusal(reader, { scope: 'syncs:read' });
      assert.equal(refused?.code, 'insufficient_scope');
      assert.match(refused?.message ?? '', new RegExp(`which the ${CALLED[kind]} lacks`));
    });

    test(`needs ${kind === 'session' ? 'no plan with' : 'a plan with'} API access`, async () => {
      const owner = await service.owner();
      const record = await service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
      const saver = await caller(kind, { ...owner, record });
      const expected = kind === 'session' ? undefined : 'plan_upgrade_required';
      assert.equal((await refusal(saver))?.code, expected);
    });
  });
}

describe('callers of different kinds', () => {
  const API_KINDS = CALLER_KIND_NAMES.filter((kind) => kind !== 'session');
  const each = (owner: TestOwner, kinds: readonly CallerKind[] = API_KINDS) =>
    Promise.all(kinds.map((kind) => caller(kind, owner)));

  test('share what their account record may ask, and neither sessions nor other owners do', async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    for (const one of await each(owner)) {
      assert.deepEqual([await refusal(one), await refusal(one)], [null, null], one.kind);
    }
    for (const one of await each(owner)) {
      const refused = await refusal(one);
      assert.equal(refused?.code, 'rate_limit_exceeded', one.kind);
      assert.match(refused?.message ?? '', /6 cheap requests a minute across all keys and apps/);
    }
    for (const one of await each(stranger)) assert.equal(await refusal(one), null, one.kind);
    assert.equal(await refusal(await caller('session', owner)), null, 'the pages of the greedy owner');
  });

  test('that are sessions share what sessions may, and leave the API to keys and apps [limit rate_account_sessions]', async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    for (const one of await each(owner, ['session', 'session']))
      assert.deepEqual([await refusal(one), await refusal(one)], [null, null]);
    const refused = await refusal(await caller('session', owner));
    assert.equal(refused?.code, 'rate_limit_exceeded');
    assert.match(
      refused?.message ?? '',
      /4 cheap requests a minute across all sessions of the account record/,
    );
    for (const one of await each(owner)) assert.equal(await refusal(one), null, one.kind);
    assert.equal(await refusal(await caller('session', stranger)), null);
  });

  test('that are sessions of one greedy member leave the others what they need [limit rate_user_sessions]', async () => {
    const few = await startService({
      LIMIT_RATE_SESSION_CHEAP: '2',
      LIMIT_RATE_SESSION_HEAVY: '100',
      LIMIT_SESSION_HEAVY_IN_FLIGHT: '1',
      LIMIT_RATE_ACCOUNT_SESSIONS: '4',
      LIMIT_RATE_USER_SESSIONS: '2',
    });
    const admitHere = createAdmit(few.app.rateLimits, few.app.clock);
    const owner = await few.owner();
    const member = await caller('session', owner);
    assert.ok(member.kind === 'session');
    const greedy = ['a', 'b', 'c', 'd', 'e', 'f'].map((id): Caller => ({ ...member, id }));
    for (const tier of ['heavy', 'cheap'] as const) {
      const said: (string | undefined)[] = [];
      for (const one of greedy) said.push((await refusal(one, { tier }, admitHere))?.message);
      if (tier === 'cheap')
        for (const one of greedy) said.push((await refusal(one, { tier }, admitHere))?.message);
      const most = tier === 'cheap' ? 4 : 2;
      assert.equal(said.filter((message) => message === undefined).length, most, tier);
      assert.match(said.at(-1) ?? '', /sessions of this person/);
      const [one, other] = [await caller('session', owner), await caller('session', owner)];
      for (const asker of [one, other]) assert.equal(await refusal(asker, { tier }, admitHere), null, tier);
    }
    await few.close();
  });

  test('that lack the scope use up nothing of what they share with others', async () => {
    const owner = await service.owner();
    for (const kind of ['session', 'api_key'] as const) {
      for (let asked = 0; asked < 8; asked += 1) {
        const reader = await caller(kind, owner, ['account:read']);
        const refused = await refusal(reader, { scope: 'syncs:write' });
        assert.equal(refused?.code, 'insufficient_scope', kind);
      }
      assert.equal(await refusal(await caller(kind, owner)), null, kind);
    }
  });

  test('share the places for heavy requests of their account record', async () => {
    const owner = await service.owner();
    for (const one of await each(owner)) assert.equal(await refusal(one, { tier: 'heavy' }), null, one.kind);
    for (const one of await each(owner)) {
      const refused = await refusal(one, { tier: 'heavy' });
      assert.equal(refused?.code, 'too_many_concurrent_requests', one.kind);
      assert.match(refused?.message ?? '', /^The keys and apps of this account record together have 3/);
    }
    for (const one of await each(owner, ['session', 'session']))
      assert.equal(await refusal(one, { tier: 'heavy' }), null, 'sessions have places of their own');
    const refused = await refusal(await caller('session', owner), { tier: 'heavy' });
    assert.match(refused?.message ?? '', /^The sessions of this account record together have 2/);
  });
});
