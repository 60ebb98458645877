import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { OutgoingChunk } from '../../../src/connectors/destinations/delivery-rows.ts';
import type { DestinationWriter } from '../../../src/connectors/destinations/destination-contract.ts';
import { readGrant } from '../../../src/connectors/destinations/kit/oauth.ts';
import type { Quotas } from '../../../src/platform/quotas.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { Scene } from './airtable/scene.ts';
import { signIn } from './airtable/sign-in.ts';
import { openedSync } from './support/opened-sync.ts';

after(closeDatabase);

const HOUR_MS = 3_600_000;
const account = {
  id: rowId('account', '0192f0c4-0000-7000-8000-000000000001'),
  name: 'Everyday',
  institution: 'Test Bank',
  type: 'transaction',
  maskedNumber: null,
} as const;

describe('Signing in at Airtable', () => {
  test('gives a grant that knows whose it is, how long it lasts and how it is renewed', async () => {
    await using scene = await Scene.open();
    const linked = await signIn(scene.connector.linking);
    assert.ok(linked.kind === 'linked' && linked.name === 'Airtable');
    const { holder, refresh, expires } = readGrant(linked.grant);
    assert.match(holder, /^usr/);
    assert.ok(refresh !== null);
    assert.equal(expires, scene.clock.now() + HOUR_MS);
  });

  for (const [outcome, reason] of [
    ['deny', 'access_denied'],
    ['fail', 'unknown'],
  ] as const) {
    test(`is refused as ${reason} where the page says ${outcome}`, async () => {
      await using scene = await Scene.open();
      assert.deepEqual(await signIn(scene.connector.linking, outcome), { kind: 'refused', reason });
    });
  }

  test('with another verifier than the page was begun with is refused', async () => {
    await using scene = await Scene.open();
    const { linking } = scene.connector;
    const once = { begin: linking?.begin, complete: linking?.complete };
    assert.ok(once.begin && once.complete);
    const refused = await signIn({
      begin: once.begin,
      complete: (callback, signal) =>
        linking?.complete({ ...callback, verifier: 'x'.repeat(43) }, signal) ?? assert.fail(),
    });
    assert.deepEqual(refused, { kind: 'refused', reason: 'unknown' });
  });
});

test('A grant is renewed once by two processes with many callers each, and no refresh token is used twice', async () => {
  await using scene = await Scene.open();
  const { resources } = scene.connector;
  assert.ok(resources);
  const { signal } = new AbortController();
  for (let round = 1; round <= 3; round++) {
    scene.world.clock.advance(2 * HOUR_MS);
    const processes = [scene.access(), scene.access()];
    const lists = processes.flatMap((access) =>
      Array.from({ length: 5 }, () =>
        resources.list(access, { type: 'base', parent: null, limit: 10 }, signal),
      ),
    );
    for (const bases of await Promise.all(lists)) assert.ok(bases.length > 0);
    assert.equal(scene.calls().filter((call) => call === 'POST token').length, round);
  }
  assert.equal(scene.control.usage().refusedRenewals, 0);
  assert.equal(scene.control.grants(), 1);
});

test('A person’s calls on a base count against the person alone: the base may be any that they name', async () => {
  const taken: string[] = [];
  const quotas: Quotas = { take: async (uses) => void taken.push(...uses.map(({ quota }) => quota.name)) };
  await using scene = await Scene.open({ quotas });
  const { resources, create } = scene.connector;
  assert.ok(resources && create);
  const { signal } = new AbortController();
  taken.length = 0;
  await resources.list(scene.access(), { type: 'table', parent: scene.base, limit: 10 }, signal);
  const request = { key: 'key', name: 'Made', parent: scene.base, target: null, again: false } as const;
  const sync = { type: 'transactions', mappingMode: 'bulk', accounts: [] } as const;
  await create(scene.access(), { ...request, ...sync }, signal);
  assert.deepEqual([...new Set(taken)], ['airtable-person']);
  await scene.run((await scene.syncOf([posted(1)])).sync);
  assert.ok(taken.includes('airtable-base'));
});

/** So many rows as one chunk. */
function chunkOf(writer: DestinationWriter, scene: Scene, first: number, count: number): OutgoingChunk {
  const added = Array.from({ length: count }, (_, at) => {
    const transaction = posted(first + at);
    const row = { kind: 'transaction', account, transaction, customCategory: null, memo: null } as const;
    const text = writer.encode({ ...row, tags: [], replaces: null }, 1);
    return { id: transaction.id, account: account.id, text, replaces: null, remoteRef: null };
  });
  return {
    eventId: `event-${first}`,
    run: rowId('sync_run', '0192f0c4-0000-7000-8000-000000000002'),
    number: 1,
    total: 1,
    rowForm: 1,
    created: scene.clock.now(),
    again: false,
    added,
    updated: [],
    removed: [],
  };
}

describe('Two writers of one grant that write into one base at once', () => {
  const written = async (quotas?: { take(): Promise<void> }) => {
    const scene = await Scene.open(quotas === undefined ? {} : { quotas });
    const other = scene.control.addTable(scene.base, 'Other', [{ name: 'Name', type: 'singleLineText' }]);
    const { signal } = new AbortController();
    const write = async (table: string, first: number) => {
      const target = { base_id: scene.base, table_id: table };
      const opening = {
        owner: 'one',
        target,
        secrets: [],
        recorded: async () => new Set<string>(),
        accountsWithRows: async () => null,
        access: scene.access(),
        sync: openedSync(),
      };
      const writer = await scene.connector.open(opening, signal);
      return writer.write(chunkOf(writer, scene, first, 100), signal);
    };
    // Disposed of by the caller, also where Airtable refuses a writer for good.
    const outcomes = await Promise.allSettled([write(scene.table, 0), write(other, 100)]);
    return { scene, outcomes };
  };

  test('never call it more often than Airtable allows', async () => {
    const { scene, outcomes } = await written();
    await using _ = scene;
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    assert.equal(scene.ids.length, 200);
    assert.equal(scene.control.usage().refused, 0);
  });

  test('would, if no one counted', async () => {
    const { scene } = await written({ take: async () => undefined });
    await using _ = scene;
    assert.ok(scene.control.usage().refused > 0);
  });
});
