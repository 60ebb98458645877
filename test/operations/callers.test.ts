import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { storedActor } from '../../src/storage/actor-columns.ts';
import { listConsentEvents } from '../../src/storage/consents.ts';
import { type Actor, OPERATOR, SERVICE } from '../../src/vocabulary/actors.ts';
import { CALLER_KIND_NAMES, CALLER_KINDS, type CallerKind } from '../../src/vocabulary/caller-kinds.ts';
import { parsePublicId } from '../../src/vocabulary/ids.ts';
import { BANK, consentAtBank, linkBank, openCallback, RETURN_URL } from '../features/linking/person.ts';
import { type Asker, openSurfaceForAllCallers, type SurfaceForAllCallers } from '../support/callers.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { type Answer, type Json, v2Client } from '../support/v2-client.ts';
import { heavyOperation } from '../surfaces/v2/open-surface.ts';

const GRANT = '019ab000-0000-7000-8000-00000000000a';
const lines: string[] = [];
let service: TestService;
let surface: SurfaceForAllCallers;
before(async () => {
  // Without a worker a run stays as it was queued.
  service = await startService(
    { ROLES: 'api', LOG_LEVEL: 'error', LIMIT_AUTH_FAILURES: '5' },
    { destination: { write: (line: string) => void lines.push(line) } },
  );
  surface = await openSurfaceForAllCallers(service, OPERATIONS);
});
after(async () => {
  await surface.close();
  await service.close();
});

const codeOf = ({ status, body }: Answer) => [status, body.error?.code ?? null];
const said = ({ kind, id }: Asker): Actor => ({ kind, id });
const post = async (asker: Asker, path: string, body: unknown = {}): Promise<Json> => {
  const answer = await asker.v2('POST', path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
};

describe('a run', () => {
  let owner: TestOwner;
  let connection: string;
  let accounts: readonly string[];
  before(async () => {
    owner = await service.owner();
    connection = await linkBank(owner);
    const { body } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    accounts = [body.data[0].id];
  });

  async function causeOf(run: Json): Promise<Actor | null> {
    const row = await service.app.database.db
      .selectFrom('sync_runs')
      .selectAll()
      .where('id', '=', parsePublicId('sync_run', run.id) ?? assert.fail(run.id))
      .executeTakeFirstOrThrow();
    return storedActor(row);
  }

  const TRIGGERS: Readonly<Record<CallerKind, string>> = {
    api_key: 'api',
    oauth_token: 'api',
    session: 'dashboard',
    bridge_app: 'api',
  };
  for (const kind of CALLER_KIND_NAMES) {
    test(`says that a caller of the kind ${kind} asked for it, in whichever way`, async () => {
      const asker = await surface.asker(kind, owner);
      const { id: destination } = await post(asker, '/v2/destinations', {
        type: 'webhook',
        name: kind,
        target: { url: `http://127.0.0.1:9/${kind}` },
      });
      const sync = await post(asker, '/v2/syncs', {
        type: 'transactions',
        name: kind,
        destination,
        accounts,
        mapping_mode: 'bulk',
      });
      const runs = [sync.latest_run];
      const open = async () =>
        (await asker.v2('GET', `/v2/syncs/${sync.id}?include[]=latest_run`)).body.latest_run;
      const calledOff = async () => post(asker, `/v2/sync_runs/${(await open()).id}/cancel`);
      await calledOff();
      runs.push(await post(asker, `/v2/syncs/${sync.id}/run`));
      await calledOff();
      const { data } = await post(asker, `/v2/connections/${connection}/refresh`);
      runs.push(data.find((run: Json) => run.sync === sync.id));
      for (const run of runs) {
        assert.equal(run.trigger, TRIGGERS[kind]);
        assert.deepEqual(await causeOf(run), said(asker));
      }
      const again = await post(asker, `/v2/syncs/${sync.id}/resync`, { confirm: true });
      assert.equal(again.trigger, 'resync');
      assert.deepEqual(await causeOf(again), said(asker));
      await calledOff();
    });
  }

  test('of the schedule says that no one asked', async () => {
    const { db } = service.app.database;
    // A refresh has left open runs of the older ones.
    const newest = db.selectFrom('syncs').select('id').orderBy('id', 'desc').limit(1);
    const { id } = await newest.executeTakeFirstOrThrow();
    await db
      .updateTable('syncs')
      .set({ next_run_at: new Date(0) })
      .where('id', '=', id)
      .execute();
    await service.app.services.syncRuns.startDue(owner.record.id, id);
    const row = await db
      .selectFrom('sync_runs')
      .selectAll()
      .where('sync', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.trigger, storedActor(row)], ['schedule', SERVICE]);
  });
});

describe('the audit trail of a consent', () => {
  const trail = async (owner: TestOwner): Promise<(readonly [string, Actor | null])[]> => {
    const { body } = await owner.v2('GET', '/v2/consents');
    const id = parsePublicId('consent', body.data[0].id) ?? assert.fail();
    const events = await listConsentEvents(service.app.database.db, owner.record.id, id);
    return events.map((event) => [event.kind, storedActor(event)] as const);
  };

  for (const [at, kind] of CALLER_KIND_NAMES.entries()) {
    const next = CALLER_KIND_NAMES[(at + 1) % CALLER_KIND_NAMES.length] ?? 'api_key';
    test(`names the ${kind} that began the link, the ${next} that renewed it, and who ended it`, async () => {
      const owner = await service.owner();
      const [first, second] = [await surface.asker(kind, owner), await surface.asker(next, owner)];
      const connection = await linkBank(first);
      const renewal = await post(second, `/v2/connections/${connection}/reauthorize`, {
        return_url: RETURN_URL,
      });
      assert.equal((await openCallback(await consentAtBank(renewal.url))).status, 303);
      assert.equal((await first.v2('DELETE', `/v2/connections/${connection}`)).status, 200);
      assert.deepEqual(await trail(owner), [
        ['granted', said(first)],
        ['renewed', said(second)],
        ['withdrawal_requested', said(first)],
        ['withdrawal_confirmed', SERVICE],
      ]);
    });
  }

  test('names the operator where a command began the link', async () => {
    const owner = await service.owner();
    const session = await service.app.services.linkSessions.create(
      owner.record.id,
      { provider: 'au_banking', institution: BANK, returnUrl: RETURN_URL, metadata: null, actor: OPERATOR },
      AbortSignal.timeout(10_000),
    );
    assert.equal((await openCallback(await consentAtBank(session.url))).status, 303);
    assert.deepEqual(await trail(owner), [['granted', OPERATOR]]);
  });
});

describe('the account record', () => {
  test('says to every kind of caller what it may do, with what that brings, in the order of the scope table', async () => {
    const owner = await service.owner();
    for (const kind of CALLER_KIND_NAMES.filter((one) => one !== 'api_key')) {
      const scopes = ['syncs:write', 'data:read'] as const;
      const { body } = await (await surface.asker(kind, owner, { scopes })).v2('GET', '/v2/me');
      assert.deepEqual(body.scopes, ['data:read', 'syncs:read', 'syncs:write'], kind);
    }
    const key = { name: 'k', scopes: ['rules:write', 'data:read'] as const };
    const { secret } = await service.app.services.apiKeys.create(owner.record.id, key, null);
    const { body } = await v2Client(service.url, secret)('GET', '/v2/me');
    assert.deepEqual(body.scopes, ['data:read', 'rules:read', 'rules:write']);
  });
});

describe('an API key', () => {
  test('is shown in use only to a caller that came with one', async () => {
    const owner = await service.owner();
    for (const kind of CALLER_KIND_NAMES) {
      const { body } = await (await surface.asker(kind, owner)).v2('GET', '/v2/me');
      assert.equal(body.key === null, kind !== 'api_key', kind);
    }
  });

  test('is made by a caller without one within its scopes, and bounded no further', async () => {
    const owner = await service.owner();
    const scopes = ['keys:write', 'data:read'] as const;
    const person = await surface.asker('session', owner, { scopes });
    const made = await post(person, '/v2/api_keys', { name: 'k', scopes: ['data:read'] });
    assert.deepEqual([made.allowed_ips, made.expires_at], [null, null]);
    await post(person, `/v2/api_keys/${made.id}/rotate`);
    const refused = await person.v2('POST', '/v2/api_keys', { name: 'k', scopes: ['syncs:write'] });
    assert.deepEqual(codeOf(refused), [403, 'scope_not_held']);
    assert.match(refused.body.error.message, /^The calling session does not hold/);
  });
});

describe('API keys', () => {
  const MAY_MAKE: Readonly<Record<CallerKind, boolean>> = {
    api_key: true,
    oauth_token: false,
    session: true,
    bridge_app: false,
  };
  for (const kind of CALLER_KIND_NAMES) {
    const verb = MAY_MAKE[kind] ? 'are' : 'are never';
    test(`${verb} created or rotated by a caller of the kind ${kind} with keys:write`, async () => {
      const owner = await service.owner();
      const old = await post(await surface.asker('api_key', owner), '/v2/api_keys', {
        name: 'old',
        scopes: ['data:read'],
      });
      const asker = await surface.asker(kind, owner);
      const answers = [
        await asker.v2('POST', '/v2/api_keys', { name: 'new', scopes: ['data:read'] }),
        await asker.v2('POST', `/v2/api_keys/${old.id}/rotate`),
      ];
      const expected = MAY_MAKE[kind] ? [201, null] : [403, 'scope_not_held'];
      assert.deepEqual(answers.map(codeOf), [expected, expected]);
      const { body } = await owner.v2('GET', '/v2/api_keys');
      // The owner's own and the one above, and otherwise what was made.
      assert.equal(body.data.length, MAY_MAKE[kind] ? 4 : 2);
      const [{ status }] = body.data.filter(({ id }: Json) => id === old.id);
      assert.equal(status, MAY_MAKE[kind] ? 'expiring' : 'active');
      const { label } = CALLER_KINDS[kind];
      if (!MAY_MAKE[kind]) assert.match(answers[0]?.body.error.message, new RegExp(`^A ${label} cannot`));
    });
  }
});

describe('an idempotency key', () => {
  const sent = { 'idempotency-key': 'the same' };
  const create = (asker: Asker) => asker.v2('POST', '/v2/rulesets', { name: 'Tidy' }, sent);
  const createKey = (asker: Asker) =>
    asker.v2('POST', '/v2/api_keys', { name: 'reader', scopes: ['data:read'] }, sent);
  const createDestination = (asker: Asker) =>
    asker.v2(
      'POST',
      '/v2/destinations',
      { type: 'webhook', name: 'd', target: { url: 'http://127.0.0.1:9/secret' } },
      sent,
    );

  for (const kind of CALLER_KIND_NAMES) {
    test(`of a caller of the kind ${kind} does the work once, and shows the caller its secrets again`, async () => {
      const owner = await service.owner();
      const asker = await surface.asker(kind, owner);
      const createSecret = CALLER_KINDS[kind].makesKeys ? createKey : createDestination;
      const [first, again] = [await createSecret(asker), await createSecret(asker)];
      assert.ok(first.status < 300);
      assert.ok(first.body.secret ?? first.body.config.signing_secret);
      assert.deepEqual(again.body, first.body);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    });
  }

  test('is of the account record for its keys and sessions: the work is not done twice', async () => {
    const owner = await service.owner();
    const key = await surface.asker('api_key', owner);
    const [here, there] = [await surface.asker('session', owner), await surface.asker('session', owner)];
    const ids = [await create(key), await create(here), await create(there)].map(({ body }) => body.id);
    assert.equal(new Set(ids).size, 1);
  });

  test("is of each app of other people: none meets another's, nor the owner's", async () => {
    const owner = await service.owner();
    const key = await surface.asker('api_key', owner);
    const apps = [
      await surface.asker('oauth_token', owner, { id: GRANT }),
      await surface.asker('oauth_token', owner, { id: randomUUID() }),
      await surface.asker('bridge_app', owner, { id: GRANT }),
    ];
    const answers = await Promise.all([key, ...apps].map(create));
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 4);
    const refreshed = await surface.asker('oauth_token', owner, { id: GRANT });
    assert.equal((await create(refreshed)).body.id, answers[1]?.body.id);
  });

  test('shows a secret to the caller that asked and to no other of the account record', async () => {
    const owner = await service.owner();
    const [here, there] = [await surface.asker('session', owner), await surface.asker('session', owner)];
    const key = await surface.asker('api_key', owner);
    assert.equal((await createKey(here)).status, 201);
    for (const other of [there, key]) {
      assert.deepEqual(codeOf(await createKey(other)), [409, 'idempotency_key_reused']);
    }
    const stranger = await service.owner();
    const theirs = await surface.asker('api_key', stranger);
    assert.equal((await createKey(theirs)).status, 201);
    const person = await surface.asker('session', stranger);
    assert.deepEqual(codeOf(await createKey(person)), [409, 'idempotency_key_reused']);
  });
});

describe('a credential of any kind', () => {
  test('that is refused counts towards the budget of failures', async () => {
    const owner = await service.owner();
    const person = await surface.asker('session', owner);
    const headers = { authorization: '', cookie: 'session=nobody-at-all' };
    const codes: (string | null)[] = [];
    for (let asked = 0; asked < 6; asked++) {
      codes.push((await person.v2('GET', '/v2/me', undefined, headers)).body.error.code);
    }
    assert.deepEqual(codes, [
      ...Array.from({ length: 5 }, () => 'api_key_invalid'),
      'too_many_auth_attempts',
    ]);
    assert.equal((await person.v2('GET', '/v2/me')).status, 200, 'another credential from the same address');
  });

  test('is refused where the surface does not take its kind', async () => {
    const owner = await service.owner();
    const app = await surface.asker('oauth_token', owner, { id: randomUUID() });
    assert.equal((await app.v2('GET', '/v2/me')).status, 200);
    const answer = await owner.v2('GET', '/v2/me', undefined, { authorization: 'Bearer oauth-elsewhere' });
    assert.deepEqual(codeOf(answer), [401, 'api_key_invalid']);
  });
});

test('a request that fails by our fault is logged with who asked', async () => {
  const broken = heavyOperation('/v2/broken', async () => {
    throw new Error('a fault');
  });
  const here = await openSurfaceForAllCallers(service, [broken], () => undefined);
  const owner = await service.owner();
  for (const kind of CALLER_KIND_NAMES) {
    const asker = await here.asker(kind, owner);
    lines.length = 0;
    assert.equal((await asker.v2('GET', '/v2/broken')).status, 500);
    const logged = lines
      .map((line): Json => JSON.parse(line))
      .filter((line) => line.operation === 'wait_here');
    assert.deepEqual(
      logged.map((line) => [line.caller_kind, line.caller_id]),
      [[kind, asker.id]],
    );
  }
  await here.close();
});
