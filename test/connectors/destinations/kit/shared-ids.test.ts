import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChunkRow } from '../../../../src/connectors/destinations/delivery-rows.ts';
import { qualifiedId, SharedIds } from '../../../../src/connectors/destinations/kit/shared-ids.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import { rowId } from '../../../../src/vocabulary/ids.ts';

const clock = { now: () => Date.parse('2026-11-01T00:00:00Z'), sleep: async () => undefined };
const [first, second] = [rowId('account', newRowId(clock)), rowId('account', newRowId(clock))];

const row = (id: string, account: typeof first, replaces: string | null = null): ChunkRow => ({
  id,
  account,
  text: '',
  replaces,
  remoteRef: null,
});
const chunk = { added: [], updated: [], removed: [] };

describe('An id of rows of two accounts, while the ledger lacks the last chunks', () => {
  const open = (accounts: readonly (typeof first)[]) => new SharedIds(async () => new Map([['a', accounts]]));
  const found = async (ids: SharedIds, account: typeof first) => {
    const of = await ids.of([row('a', account)]);
    return of.find(row('a', account), (text) => (text === 'a' ? ['plain'] : []));
  };

  for (const [what, written] of [
    ['got a new id', { ...chunk, updated: [row('b', first, 'a')] }],
    ['was removed', { ...chunk, removed: [row('a', first)] }],
  ] as const)
    test(`is the other account’s alone once the row of one ${what}`, async () => {
      const ids = open([first, second]);
      assert.equal(await found(ids, second), null, 'nobody knows whose it is');
      ids.note(written, []);
      assert.deepEqual(await found(ids, second), { found: 'plain', text: 'a' });
      ids.note({ ...chunk, added: [row('a', first)] }, []);
      assert.equal(await found(ids, second), null, 'the row is back');
    });

  test('is not that of an account whose row was refused', async () => {
    const ids = open([second]);
    ids.note({ ...chunk, added: [row('a', first)] }, ['a']);
    assert.equal((await ids.of([row('a', second)])).fresh(row('a', second)), 'a');
    ids.note({ ...chunk, added: [row('a', first)] }, []);
    assert.equal((await ids.of([row('a', second)])).fresh(row('a', second)), qualifiedId(second, 'a'));
  });
});
