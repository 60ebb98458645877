import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readGrant } from '../../../../src/connectors/destinations/kit/oauth.ts';
import { DestinationGrants } from '../../../../src/features/destinations/destination-grants.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { findDestination } from '../../../../src/storage/destinations.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { connectorAt, consented, HurriedClock, REDIRECT, Scene } from './scene.ts';

after(closeDatabase);

const { signal } = new AbortController();
const TOKEN = '/oauth/token';
const tokenCalls = ({ vendor }: Scene) => vendor.control.requests().filter(({ path }) => path === TOKEN);

/** The way to the grant as one process has it. */
function process({ world, destination }: Scene) {
  const { limits, secrets, database } = world;
  const log = createLog({ level: 'silent' });
  const grants = new DestinationGrants({ db: database.db, clock: systemClock, limits, log, secrets });
  return grants.access(destination) ?? assert.fail('no grant');
}

async function stored({ world, destination }: Scene): Promise<string> {
  const row = await findDestination(world.database.db, world.owner.id, destination.id);
  return (row && world.secrets.grant(row)) ?? assert.fail('no grant');
}

/** A scene whose sync has one more row to write. */
async function ready() {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(account, [posted(1)]);
  const sync = await opened.sync([account]);
  const add = (number: number) =>
    opened.world.bank.accounts.set(
      account,
      Array.from({ length: number }, (_, at) => posted(number - at, { day: 49 })),
    );
  return { opened, sync, add };
}

describe('signing in', () => {
  const callback = (query: Record<string, string>) => ({
    redirectUri: REDIRECT,
    verifier: 'v'.repeat(43),
    query,
  });

  test('gives a grant that names its user, for a code that counts once', async () => {
    await using opened = await Scene.open();
    const linking = opened.connector.linking ?? assert.fail();
    const query = await consented(opened.connector);
    const outcome = await linking.complete(callback(query), signal);
    assert.equal(outcome.kind, 'linked');
    const grant = readGrant(outcome.kind === 'linked' ? outcome.grant : '');
    assert.match(grant.holder, /^[0-9a-f-]{36}$/);
    assert.equal(grant.expires, opened.clock.now() + 2 * 3_600_000);
    assert.deepEqual(await linking.complete(callback(query), signal), { kind: 'refused', reason: 'unknown' });
  });

  test('asks for no scope, so that the grant may write', async () => {
    await using opened = await Scene.open();
    const request = { redirectUri: REDIRECT, state: 's', verifier: 'v'.repeat(43) };
    const page = new URL((await opened.connector.linking?.begin(request, signal)) ?? '');
    assert.deepEqual(Object.fromEntries(page.searchParams), {
      client_id: 'ynab-id',
      redirect_uri: REDIRECT,
      response_type: 'code',
      state: 's',
    });
  });

  test('that the person refuses, or that fails there, is an outcome', async () => {
    await using opened = await Scene.open();
    for (const [outcome, reason] of [
      ['deny', 'access_denied'],
      ['fail', 'unknown'],
    ] as const) {
      const query = await consented(opened.connector, outcome);
      assert.deepEqual(await opened.connector.linking?.complete(callback(query), signal), {
        kind: 'refused',
        reason,
      });
    }
  });

  test('with another client secret than YNAB has is a mistake of the configuration', async () => {
    await using opened = await Scene.open();
    const { url, apiUrl } = opened.vendor;
    const wrong = { url, apiUrl, clientSecret: 'another' };
    const connector = connectorAt(wrong, { http: opened.world.http, clock: opened.clock });
    const query = await consented(opened.connector);
    await assert.rejects(
      async () => connector.linking?.complete(callback(query), signal),
      (error) => error instanceof UpstreamFailure && error.situation === 'own_credentials',
    );
  });

  test('fails without a grant where the user cannot be read', async () => {
    await using opened = await Scene.open();
    const query = await consented(opened.connector);
    opened.vendor.control.addFault({ route: 'GET /v1/user', kind: 'server-error', count: 9 });
    await assert.rejects(
      async () => opened.connector.linking?.complete(callback(query), signal),
      (error) => error instanceof UpstreamFailure && error.situation === 'server_error',
    );
  });
});

describe('a grant', () => {
  test('whose access token is over is renewed first, and the rotated refresh token is stored', async () => {
    const { opened, sync, add } = await ready();
    await using _ = opened;
    for (let round = 1; round <= 3; round++) {
      opened.world.clock.advance(2 * 3_600_000 - 60_000);
      add(round);
      const before = await stored(opened);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.notEqual(readGrant(await stored(opened)).refresh, readGrant(before).refresh);
    }
    assert.equal(opened.shown().length, 3);
    assert.equal(tokenCalls(opened).length, 3);
  });

  test('that YNAB ended early is renewed after its 401, also in the middle of a chunk', async () => {
    for (const after of [0, 1, 2]) {
      const { opened, sync } = await ready();
      await using _ = opened;
      opened.vendor.control.addFault({ route: '*/v1/*', kind: 'expired-token', after });
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.equal(tokenCalls(opened).length, 1);
      assert.equal(opened.shown().length, 1);
    }
  });

  test('is renewed once by two workers at once, and no refresh token is used twice', async () => {
    const { opened } = await ready();
    await using _ = opened;
    opened.world.clock.advance(2 * 3_600_000);
    const { resources } = opened.connector;
    const clock = new HurriedClock(() => opened.world.clock.now());
    const other = connectorAt(opened.vendor, { http: opened.world.http, clock });
    const query = { type: 'budget', parent: null, limit: 10 } as const;
    const lists = await Promise.all(
      [process(opened), process(opened)].flatMap((access, at) =>
        [0, 1, 2].map(() => (at === 0 ? resources : other.resources)?.list(access, query, signal)),
      ),
    );
    assert.deepEqual(
      lists.map((list) => list?.length),
      [6, 6, 6, 6, 6, 6],
    );
    assert.deepEqual(
      tokenCalls(opened).map(({ status }) => status),
      [200],
    );
    assert.equal(opened.vendor.control.grants(), 1, 'a refresh token used twice ends the whole grant');
  });

  test('that the person revoked ends the run, and the destination has to be linked again', async () => {
    const { opened, sync } = await ready();
    await using _ = opened;
    opened.vendor.control.revoke();
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'destination_auth_failed', false]);
    const row = await findDestination(opened.world.database.db, opened.world.owner.id, opened.destination.id);
    assert.equal(row?.status, 'reauth_required');
  });

  test('whose client the operator changed fails without blaming the person', async () => {
    const { opened, sync } = await ready();
    await using _ = opened;
    opened.world.clock.advance(2 * 3_600_000);
    opened.vendor.control.addFault({ route: TOKEN, kind: 'refusal', status: 401, count: 9 });
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure], ['failed', 'run_failed']);
    const row = await findDestination(opened.world.database.db, opened.world.owner.id, opened.destination.id);
    assert.equal(row?.status, 'active');
  });
});
