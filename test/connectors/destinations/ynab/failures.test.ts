import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { FaultSpec } from '../../../../sandbox/shared/faults.ts';
import type { ChunkRow, OutgoingChunk } from '../../../../src/connectors/destinations/delivery-rows.ts';
import type { DestinationWriter } from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import { findDestination } from '../../../../src/storage/destinations.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { withPatience } from '../../../support/patience.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const { signal } = new AbortController();

const isRateLimited = (error: unknown): boolean =>
  error instanceof UpstreamFailure && error.situation === 'rate_limited';

/** The way to the grant of a scene that needs no renewal. */
function accessOf({ world, destination }: Scene) {
  const grant = world.secrets.grant(destination) ?? assert.fail('no grant');
  return { owner: '', current: async () => grant, renew: async () => assert.fail('the grant was over') };
}

function writerOf(opened: Scene, { row }: Sync): Promise<DestinationWriter> {
  const { connector, destination } = opened;
  const { target } = destination;
  return connector.open(
    {
      owner: '',
      target,
      secrets: [],
      recorded: async () => new Set<string>(),
      accountsWithRows: async () => null,
      access: accessOf(opened),
      sync: row,
    },
    signal,
  );
}

function rowOf(writer: DestinationWriter, account: RowId<'account'>, number: number, id: string): ChunkRow {
  const text = writer.encode(
    {
      kind: 'transaction',
      account: { id: account, name: 'A', institution: 'B', type: 'transaction', maskedNumber: null },
      transaction: posted(number),
      customCategory: null,
      memo: null,
      tags: [],
      replaces: null,
    },
    1,
  );
  return { id, account, text, replaces: null, remoteRef: null };
}

/** A chunk of a run of many. */
function chunkOf(
  { world }: Scene,
  { row }: Sync,
  number: number,
  rows: Partial<Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>>,
): OutgoingChunk {
  return {
    eventId: `${number}`,
    run: JSON.parse(JSON.stringify(row.id)),
    number,
    total: null,
    rowForm: 1,
    created: world.clock.now(),
    again: false,
    added: [],
    updated: [],
    removed: [],
    ...rows,
  };
}

async function ready(options: Parameters<typeof Scene.open>[0] = {}, rows = 3) {
  const opened = await Scene.open(options);
  const account = opened.world.account();
  opened.world.bank.accounts.set(
    account,
    Array.from({ length: rows }, (_, at) => posted(at)),
  );
  return { opened, account, sync: await opened.sync([account]) };
}

describe('YNAB refuses every call', () => {
  const refusals = {
    subscription_lapsed: ['destination_auth_failed', 'reauth_required'],
    trial_expired: ['destination_auth_failed', 'reauth_required'],
    unauthorized_scope: ['destination_auth_failed', 'reauth_required'],
    data_limit_reached: ['run_failed', 'active'],
  } as const;
  for (const [refusal, [failure, status]] of Object.entries(refusals)) {
    test(`(${refusal}): the run ends as ${failure}, and the destination is ${status}`, async () => {
      const { opened, sync } = await ready();
      await using _ = opened;
      opened.vendor.control.change(JSON.parse(JSON.stringify({ refusal })));
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.failure, run.retryable], ['failed', failure, false]);
      const { database, owner } = opened.world;
      assert.equal((await findDestination(database.db, owner.id, opened.destination.id))?.status, status);
      assert.equal(opened.shown().length, 0);
    });
  }
});

describe('a call that fails permanently', () => {
  const faults: readonly (readonly [Omit<FaultSpec, 'route'>, string, boolean])[] = [
    [{ kind: 'server-error' }, 'run_failed', true],
    [{ kind: 'unavailable' }, 'run_failed', true],
    [{ kind: 'refusal', status: 504 }, 'timeout', true],
    [{ kind: 'refusal', status: 404 }, 'run_failed', false],
    [{ kind: 'refusal', status: 409 }, 'run_failed', false],
    [{ kind: 'refusal', status: 422 }, 'run_failed', false],
    [{ kind: 'malformed-json' }, 'run_failed', true],
    [{ kind: 'html-page' }, 'run_failed', true],
    [{ kind: 'connection-reset' }, 'run_failed', true],
    [{ kind: 'truncated-body' }, 'run_failed', true],
  ];
  for (const [fault, failure, retryable] of faults) {
    test(`(${fault.kind} ${fault.status ?? ''}) of the bulk call ends the run as ${failure}, and the next one has each row once`, async () => {
      const { opened, sync } = await ready();
      await using _ = opened;
      opened.vendor.control.addFault({ route: 'POST /v1/*', count: 20, ...fault });
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.failure, run.retryable], ['failed', failure, retryable]);
      opened.vendor.control.clearFaults();
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      assert.equal(opened.shown().length, 3);
      const runs = await opened.world.allRuns(sync);
      assert.equal(
        runs.reduce((sum, { added }) => sum + added, 0),
        3,
      );
    });
  }

  test('(hang) ends the run as timeout', async () => {
    await withPatience([400, 8000], async (read_deadline_ms) => {
      const { opened, sync } = await ready({ limits: { read_deadline_ms } });
      await using _ = opened;
      opened.vendor.control.addFault({ route: 'POST /v1/*', kind: 'hang', count: 20 });
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'timeout', true]);
    });
  });

  test('once is made good within the run', async () => {
    for (const kind of ['server-error', 'unavailable', 'connection-reset', 'drop-answer'] as const) {
      const { opened, sync } = await ready();
      await using _ = opened;
      opened.vendor.control.addFault({ route: '*', kind });
      const run = await opened.world.run(sync);
      assert.deepEqual([run.status, run.added], ['succeeded', 3]);
    }
  });
});

describe('a transaction to delete that YNAB does not find', () => {
  /** Writes a row, lets `act` change what is in YNAB, and deletes the row with the same writer. */
  const deletedAfter = async (act: (opened: Scene) => void) => {
    const { opened, account, sync } = await ready();
    await using _ = opened;
    const writer = await writerOf(opened, sync);
    const row = rowOf(writer, account, 1, 'a');
    const { remoteRefs } = await writer.write(chunkOf(opened, sync, 1, { added: [row] }), signal);
    const remoteRef = remoteRefs.get(row.id) ?? assert.fail();
    opened.calls();
    // A row that the attempt imported itself is read when it is asked for.
    await writer.write(chunkOf(opened, sync, 2, { updated: [{ ...row, remoteRef }] }), signal);
    assert.deepEqual([opened.calls(), opened.shown().length], [['GET transactions'], 1]);
    act(opened);
    const removed = [{ ...row, text: null, remoteRef }];
    try {
      return await writer.write(chunkOf(opened, sync, 3, { removed }), signal);
    } finally {
      assert.deepEqual(
        opened.calls().map((call) => call.split(' ')[0]),
        ['DELETE', 'GET'],
      );
    }
  };

  test('is deleted already where the plan is there', async () => {
    const written = await deletedAfter((opened) =>
      opened.vendor.control.deleteTransaction(opened.one('row 1').id),
    );
    assert.deepEqual(written.rejected, []);
  });

  test('fails the run where the plan is gone', async () => {
    await assert.rejects(
      deletedAfter((opened) => opened.vendor.control.deletePlan(opened.plan)),
      (error) => error instanceof DestinationFailure && error.code === 'destination_resource_missing',
    );
  });
});

describe('the quota', () => {
  test('that YNAB reports as used up ends the run as rate_limited, without asking again', async () => {
    const { opened, sync } = await ready({ callsPerHour: 3 });
    await using _ = opened;
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'rate_limited', true]);
    assert.deepEqual(opened.calls(), ['GET plans', 'GET transactions', 'POST transactions']);
    assert.equal(opened.shown().length, 0);
    opened.world.clock.advance(3_600_001);
    assert.equal((await opened.world.run(sync)).added, 3);
  });

  test('is shared by all destinations of a grant, and never exceeded by two that write at once', {
    timeout: 600_000,
  }, async () => {
    const { opened, account, sync } = await ready({}, 2);
    await using _ = opened;
    const { connector } = opened;
    const access = accessOf(opened);
    const writers = await Promise.all([0, 1].map(() => writerOf(opened, sync)));
    const outcomes = await Promise.all(
      writers.map(async (writer, at) => {
        for (let number = 1; ; number++) {
          const row = rowOf(writer, account, number, `${at}-${number}`);
          try {
            await writer.write(chunkOf(opened, sync, number, { added: [row] }), signal);
          } catch (error) {
            return error instanceof Error && 'code' in error ? error.code : error;
          }
        }
      }),
    );
    assert.deepEqual(outcomes, ['rate_limited', 'rate_limited']);
    const calls = opened.vendor.control.requests().filter(({ path }) => path.startsWith('/v1/'));
    assert.equal(calls.length, 190, 'ten are left to people');
    assert.ok(calls.every(({ status }) => status !== 429));
    const plans = () =>
      connector.resources?.list(access, { type: 'budget', parent: null, limit: 1 }, signal) ?? assert.fail();
    // The first of the ten was used to sign in.
    for (let left = 9; left > 0; left--) assert.equal((await plans()).length, 1);
    await assert.rejects(plans, isRateLimited);
  });

  test('counts the calls of people too, and never exceeds what YNAB allows', {
    timeout: 600_000,
  }, async () => {
    const { opened, sync } = await ready({ callsPerHour: 1000 });
    await using _ = opened;
    const access = accessOf(opened);
    const plans = () =>
      opened.connector.resources?.list(access, { type: 'budget', parent: null, limit: 1 }, signal) ??
      assert.fail();
    for (let left = 198; left > 0; left--) await plans();
    opened.calls();
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure], ['failed', 'rate_limited']);
    assert.equal(opened.calls().length, 2);
    await assert.rejects(plans, isRateLimited);
    assert.deepEqual(opened.calls(), []);
  });
});
