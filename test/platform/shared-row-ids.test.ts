import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedIdOf, withOwnId } from '../../src/platform/shared-row-ids.ts';
import { localDate } from '../../src/vocabulary/moments.ts';
import { posted } from '../features/sync-engine/support/bank.ts';

test('the id of a row whose bank shares its id never changes, since receivers keep it', () => {
  const rent = posted(1, {
    id: 'txn_fk_shared',
    date: localDate('2026-07-01'),
    post_date: localDate('2026-07-01'),
    description: 'Rent',
    amount: { amount: -90_000, currency: 'aud' },
  });
  const { id, former_ids: former } = withOwnId(rent);
  assert.deepEqual([id, former], ['txn_fk_shared~~c5cc92ef55', ['txn_fk_shared']]);
  assert.equal(sharedIdOf(id), 'txn_fk_shared');
  assert.equal(withOwnId(withOwnId(rent)).id, id);
});
