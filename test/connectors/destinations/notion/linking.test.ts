import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type NotionSimulator, startNotionSimulator } from '../../../../sandbox/notion/server.ts';
import { NotionConnector } from '../../../../src/connectors/destinations/notion/connector.ts';
import { DestinationGrants } from '../../../../src/features/destinations/destination-grants.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { createLog } from '../../../../src/platform/log.ts';
import type { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { CLIENT, quotasOn, Scene, trustingHttp } from './scene.ts';
import { press, signIn } from './sign-in.ts';

after(closeDatabase);

const signal = (): AbortSignal => AbortSignal.timeout(60_000);

describe('signing in', () => {
  let notion: NotionSimulator;
  let http: OutgoingHttp;
  let connector: NotionConnector;
  before(async () => {
    notion = await startNotionSimulator(CLIENT);
    http = trustingHttp(notion);
    connector = connectorOf();
  });
  after(async () => {
    await http.close();
    await notion.close();
  });
  const connectorOf = (more: { readonly clientSecret?: string } = {}) =>
    new NotionConnector(
      { ...CLIENT, ...more, baseUrl: `${notion.url}/`, oauthUrl: `${notion.url}/` },
      { http, clock: systemClock, limits: DEFAULT_LIMITS, quotas: quotasOn(systemClock) },
    );

  test('links the destination under the name of the workspace', async () => {
    const outcome = await press(connector, 'approve');
    assert.ok(outcome.kind === 'linked');
    assert.equal(outcome.name, 'Aroha’s Notion');
  });

  test('asks for the pages of a person, and names the application and where to return to', async () => {
    const attempt = { redirectUri: 'https://hub.test/connect/return', state: 's', verifier: 'v' };
    const page = new URL(await connector.linking.begin(attempt, signal()));
    assert.deepEqual(Object.fromEntries(page.searchParams), {
      client_id: 'client',
      redirect_uri: attempt.redirectUri,
      response_type: 'code',
      state: 's',
      owner: 'user',
    });
    assert.equal(page.pathname, '/v1/oauth/authorize');
  });

  test('that a person denies is an outcome', async () => {
    assert.deepEqual(await press(connector, 'deny'), { kind: 'refused', reason: 'access_denied' });
    assert.deepEqual(await press(connector, 'fail'), { kind: 'refused', reason: 'unknown' });
  });

  test('with a code that was used, or for another address, is refused', async () => {
    const callback = { redirectUri: 'https://hub.test/x', verifier: 'v', query: { code: 'unknown' } };
    assert.deepEqual(await connector.linking.complete(callback, signal()), {
      kind: 'refused',
      reason: 'unknown',
    });
  });

  test('with a wrong secret is a mistake of the operator’s, not of the person', async () => {
    await assert.rejects(press(connectorOf({ clientSecret: 'wrong' }), 'approve'), {
      situation: 'own_credentials',
    });
  });

  test('can be undone: the grant is ended at Notion, and ending it twice is as once', async () => {
    const grant = await signIn(connector);
    const { count } = notion.control.grants();
    await connector.linking.revoke?.(grant, signal());
    assert.equal(notion.control.grants().count, count - 1);
    await connector.linking.revoke?.(grant, signal());
    assert.equal(notion.control.grants().count, count - 1);
  });
});

describe('a grant whose access token is over', () => {
  test('is renewed once by two workers at once, and its refresh token is never used twice', async () => {
    await using scene = await Scene.open();
    const { world, connector, notion, destination } = scene;
    const accesses = [1, 2].map(() => {
      const { limits, secrets, database } = world;
      const log = createLog({ level: 'silent' });
      const grants = new DestinationGrants({ db: database.db, clock: systemClock, limits, log, secrets });
      return grants.access(destination) ?? assert.fail();
    });
    for (let round = 0; round < 3; round++) {
      notion.control.expireTokens();
      const query = { type: 'database', parent: null, limit: 10 } as const;
      const lists = await Promise.all(
        accesses.flatMap((access) => [1, 2, 3].map(() => connector.resources.list(access, query, signal()))),
      );
      assert.ok(lists.every((list) => list.length === 1));
      assert.equal(scene.count('POST /v1/oauth/token'), round + 1);
    }
    assert.equal(notion.control.grants().count, 1, 'a token that is used twice ends the grant');
  });

  test('is renewed in the middle of a run', async () => {
    await using scene = await Scene.open();
    const account = scene.world.account();
    scene.world.bank.accounts.set(
      account,
      Array.from({ length: 9 }, (_one, at) => posted(9 - at)),
    );
    const sync = await scene.sync([account]);
    scene.notion.control.addFault({ route: 'POST /v1/pages', kind: 'expired-token', after: 3 });
    const run = await scene.world.run(sync);
    assert.deepEqual([run.status, run.added, scene.rows.length], ['succeeded', 9, 9]);
    assert.equal(scene.count('POST /v1/oauth/token'), 1);
  });
});

test('two runs of one grant at once are never limited by Notion', async () => {
  await using scene = await Scene.open();
  const { world, notion, destination, connector } = scene;
  const other = notion.control.addDatabase('Second', notion.control.workspace().pages[0]?.id ?? '', [
    { name: 'Name', type: 'title' },
  ]);
  const grants = new DestinationGrants({
    db: world.database.db,
    clock: systemClock,
    limits: world.limits,
    log: createLog({ level: 'silent' }),
    secrets: world.secrets,
  });
  const access = grants.access(destination) ?? assert.fail();
  const sync = (await scene.sync([world.account()])).row;
  const write = async (database: string, from: number): Promise<void> => {
    const opening = {
      owner: 'o',
      target: { database_id: database },
      secrets: [],
      recorded: async () => new Set<string>(),
      accountsWithRows: async () => null,
      access,
      sync,
    };
    const writer = await connector.open(opening);
    const added = Array.from({ length: 45 }, (_one, at) => ({
      id: `txn_${from + at}`,
      account: world.account(),
      text: JSON.stringify([`txn_${from + at}`, '2026-01-01', 'a row', '1']),
      replaces: null,
      remoteRef: null,
    }));
    const { items } = await world.runs.list(world.owner.id, { sync: sync.id, statuses: [] }, PAGE, false);
    const run = items[0]?.row.id ?? assert.fail();
    const head = { eventId: 'e', run, number: 1, total: 1, rowForm: 1, again: false };
    await writer.write({ ...head, created: world.clock.now(), added, updated: [], removed: [] }, signal());
  };
  await Promise.all([write(scene.database, 0), write(other, 100)]);
  const requests = notion.control.requests();
  assert.equal(scene.rows.length, 90);
  assert.deepEqual(
    requests.filter(({ status }) => status !== 200),
    [],
  );
  const [first, last] = [requests[0]?.at ?? 0, requests.at(-1)?.at ?? 0];
  assert.ok(last - first >= (requests.length - 4) * 334, `${requests.length} calls in ${last - first} ms`);
});

const PAGE = { limit: 1, after: null, before: null };
