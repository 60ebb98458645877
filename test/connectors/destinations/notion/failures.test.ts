import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { findDestination } from '../../../../src/storage/destinations.ts';
import type { RunFailureCode } from '../../../../src/vocabulary/syncs.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { withPatience } from '../../../support/patience.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

async function scene(rows = 4) {
  const opened = await Scene.open();
  const account = opened.world.account();
  opened.world.bank.accounts.set(
    account,
    Array.from({ length: rows }, (_one, at) => posted(rows - at)),
  );
  return { opened, sync: await opened.sync([account]) };
}

interface Trouble {
  readonly what: string;
  readonly act: (opened: Scene) => void;
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  readonly status?: string;
}

const everywhere =
  (kind: 'rate-limit' | 'refusal' | 'server-error' | 'unavailable', status?: number) => (opened: Scene) =>
    void opened.notion.control.addFault({
      route: '/v1/*',
      kind,
      count: 100,
      ...(status === undefined ? {} : { status }),
    });

const TROUBLES: readonly Trouble[] = [
  {
    what: 'the person removed the connection',
    act: ({ notion }) => notion.control.revokeGrants(),
    code: 'destination_auth_failed',
    retryable: false,
    status: 'reauth_required',
  },
  {
    what: 'the token is refused after a renewal too',
    act: ({ notion }) =>
      void notion.control.addFault({ route: 'GET /v1/databases/*', kind: 'refusal', status: 401, count: 9 }),
    code: 'destination_auth_failed',
    retryable: false,
    status: 'reauth_required',
  },
  {
    what: 'the connection may not write',
    act: ({ notion }) =>
      void notion.control.addFault({ route: 'POST /v1/pages', kind: 'refusal', status: 403 }),
    code: 'destination_auth_failed',
    retryable: false,
    status: 'reauth_required',
  },
  { what: 'every call is limited', act: everywhere('rate-limit'), code: 'rate_limited', retryable: true },
  {
    what: 'the service is overloaded',
    act: everywhere('refusal', 529),
    code: 'rate_limited',
    retryable: true,
  },
  {
    what: 'every call ends in a gateway’s timeout',
    act: everywhere('refusal', 504),
    code: 'timeout',
    retryable: true,
  },
  { what: 'the server fails', act: everywhere('server-error'), code: 'run_failed', retryable: true },
  { what: 'the service is unreachable', act: everywhere('unavailable'), code: 'run_failed', retryable: true },
  { what: 'the gateway is bad', act: everywhere('refusal', 502), code: 'run_failed', retryable: true },
  {
    what: 'the database is full',
    act: ({ notion }) => notion.control.set({ rowLimit: 2 }),
    code: 'run_failed',
    retryable: false,
  },
  {
    what: 'changes are in conflict again and again',
    act: ({ notion }) =>
      void notion.control.addFault({ route: 'POST /v1/pages', kind: 'refusal', status: 409, count: 99 }),
    code: 'run_failed',
    retryable: true,
  },
  {
    what: 'the network in front of the API answers with a page of its own',
    act: ({ notion }) => {
      notion.control.addFault({ route: '/v1/*', kind: 'refusal', status: 403, count: 99 });
      notion.control.addFault({ route: '/v1/*', kind: 'html-page', count: 99 });
    },
    code: 'run_failed',
    retryable: true,
  },
];

describe('a run ends with the code of what went wrong', () => {
  for (const { what, act, code, retryable, status = 'active' } of TROUBLES) {
    test(`${code}: ${what}`, async () => {
      const { opened, sync } = await scene();
      await using _ = opened;
      act(opened);
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.failure, run.retryable], ['failed', code, retryable]);
      const { world, destination } = opened;
      const row = await findDestination(world.database.db, world.owner.id, destination.id);
      assert.equal(row?.status, status);
    });
  }

  test('timeout: nothing is answered', async () => {
    await withPatience([300, 8000], async (read_deadline_ms) => {
      const opened = await Scene.open({ limits: { read_deadline_ms } });
      await using _ = opened;
      const account = opened.world.account();
      opened.world.bank.accounts.set(account, [posted(1)]);
      const sync = await opened.sync([account]);
      opened.notion.control.addFault({ route: '/v1/pages', kind: 'hang', count: 9 });
      const run = await opened.world.run(sync);
      assert.deepEqual([run.failure, run.retryable], ['timeout', true]);
      assert.equal((await opened.world.inDoubt(sync)).length, 1, 'a page that was asked for may be there');
    });
  });
});

describe('what passes on its own', () => {
  const passing = [
    { route: '/v1/*', kind: 'rate-limit', retryAfterSeconds: 7 },
    { route: 'POST /v1/pages', kind: 'refusal', status: 409 },
    { route: 'POST /v1/pages', kind: 'refusal', status: 529 },
    { route: 'PATCH /v1/data_sources/*', kind: 'drop-answer' },
    { route: 'PATCH /v1/data_sources/*', kind: 'connection-reset' },
    { route: 'POST /v1/data_sources/*', kind: 'server-error', count: 2 },
    { route: 'GET /v1/*', kind: 'unavailable', retryAfterSeconds: 2 },
    { route: '/v1/*', kind: 'expired-token' },
  ] as const;
  for (const fault of passing) {
    test(`does not fail a run: ${fault.kind} of ${fault.route}`, async () => {
      const { opened, sync } = await scene();
      await using _ = opened;
      opened.notion.control.addFault(fault);
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.added, opened.rows.length], ['succeeded', 4, 4]);
      if ('retryAfterSeconds' in fault)
        assert.ok(opened.clock.slept.includes(fault.retryAfterSeconds * 1000), 'Retry-After was kept');
    });
  }
});

test('a message of a failure holds no row, no token and no text of the vendor', async () => {
  const { opened, sync } = await scene();
  await using _ = opened;
  opened.notion.control.addFault({ route: 'POST /v1/pages', kind: 'refusal', status: 403 });
  const signal = AbortSignal.timeout(60_000);
  const { connector, destination, world } = opened;
  const grant = world.secrets.grant(destination) ?? assert.fail();
  const access = { owner: 'o', current: async () => grant, renew: async () => grant };
  const { row } = await world.syncs.read(world.owner.id, sync.row.id);
  const writer = await connector.open({
    owner: 'o',
    target: destination.target,
    secrets: [],
    recorded: async () => new Set<string>(),
    accountsWithRows: async () => null,
    access,
    sync: { ...row, category_mappings: [] },
  });
  const text = JSON.stringify([
    'txn_canary',
    '2026-01-01',
    'canary',
    '1',
    'AUD',
    'credit',
    null,
    null,
    'canary',
    'posted',
  ]);
  const added = [{ id: 'txn_canary', account: world.account(), text, replaces: null, remoteRef: null }];
  const { id: run } = await world.runs
    .list(world.owner.id, { sync: sync.row.id, statuses: [] }, { limit: 1, after: null, before: null }, false)
    .then(({ items }) => items[0]?.row ?? assert.fail());
  const chunk = {
    eventId: 'e',
    run,
    number: 1,
    total: 1,
    rowForm: 1,
    created: world.clock.now(),
    again: false,
    added,
    updated: [],
    removed: [],
  };
  await assert.rejects(writer.write(chunk, signal), (error: Error) => {
    assert.equal(error.message, 'Notion answered 403: restricted_resource.');
    return true;
  });
});
